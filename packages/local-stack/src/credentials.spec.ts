import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { loadCredentials } from './credentials.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-credentials-'));
const file = path.join(folder, 'credentials.json');
afterAll(() => rmSync(folder, { recursive: true }));

test('credentials are made once, for their owner alone', async () => {
  const made = await loadCredentials(file, true);
  expect(made.adminToken).toMatch(/^ac_[\w-]{32}$/);
  expect(new Set(Object.values(made.passwords)).size).toBe(Object.keys(made.passwords).length);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await loadCredentials(file, false)).toEqual(made);
});

test('data without its credentials is refused: new keys could never open it', async () => {
  const load = loadCredentials(path.join(folder, 'lost.json'), false);
  await expect(load).rejects.toMatchObject({
    code: 'credentials_missing',
    hint: expect.stringContaining('--data'),
  });
});

test('a broken file is told, not replaced', async () => {
  const broken = path.join(folder, 'broken.json');
  writeFileSync(broken, '{"passwords":');
  await expect(loadCredentials(broken, true)).rejects.toMatchObject({ code: 'credentials_broken' });
});
