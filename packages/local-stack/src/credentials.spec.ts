import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadCredentials } from './credentials.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-credentials-'));
const at = (name: string) => ({
  credentials: path.join(folder, `${name}.json`),
  vaultKeys: path.join(folder, `${name}-keys.json`),
});
afterAll(() => rmSync(folder, { recursive: true }));

test('credentials are made once, for their owner alone', async () => {
  const files = at('made');
  const made = await loadCredentials(files, true);
  const keys = readFileSync(files.vaultKeys, 'utf8');
  for (const token of [made.adminToken, made.operatorToken]) expect(token).toMatch(/^ac_[\w-]{32}$/);
  expect(made.operatorToken).not.toBe(made.adminToken);
  expect(new Set(Object.values(made.passwords)).size).toBe(Object.keys(made.passwords).length);
  for (const file of Object.values(files)) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await loadCredentials(files, false)).toEqual(made);
  expect(readFileSync(files.vaultKeys, 'utf8')).toBe(keys);
});

test.each(['credentials', 'vaultKeys'] as const)(
  'data without its %s is refused, and no new keys are made, which could never open it',
  async (lost) => {
    const files = at(`lost-${lost}`);
    await loadCredentials(files, true);
    rmSync(files[lost]);
    await expect(loadCredentials(files, false)).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining(files[lost]),
      hint: expect.stringContaining('--data'),
    });
    expect(existsSync(files[lost])).toBe(false);
  },
);

test('a start that was cut short is made whole, with the keys it had', async () => {
  const files = at('half');
  await loadCredentials(files, true);
  const keys = readFileSync(files.vaultKeys, 'utf8');
  rmSync(files.credentials);
  await loadCredentials(files, true);
  expect(readFileSync(files.vaultKeys, 'utf8')).toBe(keys);
});

test('a broken credentials file is reported, not replaced', async () => {
  const broken = at('broken');
  writeFileSync(broken.credentials, '{"passwords":');
  await expect(loadCredentials(broken, true)).rejects.toMatchObject({ code: 'credentials_broken' });
});
