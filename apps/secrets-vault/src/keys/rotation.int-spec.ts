import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vaultKeys } from '@agentclash/contracts';
import { waitFor } from '@agentclash/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RevealedKeys } from '../key-ring.js';
import { newKey, VaultFixture } from '../testing/vault-fixture.js';

// Jest runs these hooks in the order of their calls: clients close before their servers.
afterAll(() => fixture.close());
const fixture = await VaultFixture.open();
let file: string;
beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'agentclash-vault-keys-')), 'keys.json');
});
afterEach(async () => {
  await fixture.clear();
  rmSync(path.dirname(file), { recursive: true, force: true });
});

const writeFileOf = (keys: RevealedKeys) => writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
const readKeys = () => JSON.parse(readFileSync(file, 'utf8')) as RevealedKeys;
const fromFile = () => ({ VAULT_KEYS_FILE: file });
const managed = () => ({ ...fromFile(), VAULT_KEYS_FILE_MANAGED: 'true' });
const fromEnvironment = (keys: Record<string, string>, active: string) => ({
  VAULT_KEYS: JSON.stringify(keys),
  VAULT_ACTIVE_KEY: active,
});

/** Sets a secret for each key; returns a function that opens them all, and their values. */
async function plant(count: number) {
  const keys = Array.from({ length: count }, (_, n) => `KEY_${String(n).padStart(3, '0')}`);
  for (const key of keys) await fixture.set(key, `value of ${key}`);
  const delivery = await fixture.delivery(keys);
  return {
    openAll: () => fixture.values(delivery, keys),
    expected: keys.map((key) => `value of ${key}`),
  };
}

describe('the rotation of a key file that the vault manages', () => {
  test('a rotation adds a key, rewraps every secret and drops the old key, while secrets are set and opened', async () => {
    writeFileOf({ active: 'k1', keys: { k1: newKey() } });
    await fixture.start(managed());
    const { openAll, expected } = await plant(60);
    const before = readKeys();

    let isDone = false;
    const opened = (async () => {
      do expect(await openAll()).toEqual(expected);
      while (!isDone);
    })();
    const written = (async () => {
      for (let n = 0; !isDone; n++) await fixture.set('WRITTEN', `version ${n}`);
    })();
    const started = await fixture.bus.call(vaultKeys.rotate, { actor: 'operator' });
    expect(started).toMatchObject({ active_key_id: 'k2', source: 'managed_file', problem: null });
    const status = await fixture.rotated();
    isDone = true;
    await Promise.all([opened, written]);

    expect(status.keys).toEqual([{ id: 'k2', state: 'active', secrets: 61 }]);
    const after = readKeys();
    expect(after).toEqual({ active: 'k2', keys: { k2: expect.any(String) } });
    expect(Object.values(after.keys)).not.toContain(before.keys.k1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const all = fixture.logged.join('');
    for (const key of [...Object.values(before.keys), ...Object.values(after.keys)])
      expect(all).not.toContain(key);
  });

  test.each([
    ['the new key was in the file', []],
    ['some secrets were wrapped by it', ['KEY_000', 'KEY_001']],
  ])('a rotation continues after a crash when %s', async (_when, wrapped) => {
    const keys = { k1: newKey() };
    const first = await fixture.start(fromEnvironment(keys, 'k1'));
    const { openAll, expected } = await plant(5);
    await first.close();
    const both = { ...keys, k2: newKey() };
    const second = await fixture.start({ ...fromEnvironment(both, 'k2'), VAULT_KEYS_CHECK_MS: '3600000' });
    for (const key of wrapped) await fixture.set(key, `value of ${key}`);
    await second.close();
    writeFileOf({ active: 'k2', keys: both });

    await fixture.start(managed());
    expect((await fixture.rotated()).keys).toEqual([{ id: 'k2', state: 'active', secrets: 5 }]);
    expect(Object.keys(readKeys().keys)).toEqual(['k2']);
    expect(await openAll()).toEqual(expected);
  });

  test('a rotation continues after a crash when the old key was retired and still in the file', async () => {
    const keys = { k1: newKey(), k2: newKey() };
    writeFileOf({ active: 'k2', keys });
    await fixture.start(fromFile());
    await plant(2);
    await fixture.bus.call(vaultKeys.retire, { key_id: 'k1', actor: 'operator' });
    await fixture.start(managed());
    await waitFor(() => Object.keys(readKeys().keys).length === 1);
  });

  test('two concurrent requests to rotate make one key', async () => {
    writeFileOf({ active: 'k1', keys: { k1: newKey() } });
    await fixture.start({ ...managed(), VAULT_KEYS_CHECK_MS: '3600000' });
    await plant(50);
    const replies = await Promise.all(
      [1, 2].map(() => fixture.bus.call(vaultKeys.rotate, { actor: 'operator' })),
    );
    expect(replies.map(({ active_key_id }) => active_key_id)).toEqual(['k2', 'k2']);
    await fixture.rotated();
  });

  test('a rotation refuses a file that others may read, and the error names the chmod for it', async () => {
    writeFileOf({ active: 'k1', keys: { k1: newKey() } });
    chmodSync(file, 0o644);
    await expect(fixture.start(managed())).rejects.toThrow(/open to others.*chmod 600/);
  });
});

describe('the rotation of keys that an operator hands in', () => {
  test('two instances with different keys never lose a secret', async () => {
    const [k1, k2] = [newKey(), newKey()];
    writeFileOf({ active: 'k1', keys: { k1 } });
    const other = path.join(path.dirname(file), 'other.json');
    writeFileSync(other, JSON.stringify({ active: 'k1', keys: { k1 } }));
    await fixture.start(fromFile());
    await fixture.start({ VAULT_KEYS_FILE: other });
    const { openAll, expected } = await plant(20);

    // Both know the new key before one of them writes with it.
    writeFileOf({ active: 'k1', keys: { k1, k2 } });
    writeFileSync(other, JSON.stringify({ active: 'k1', keys: { k1, k2 } }));
    await waitFor(async () => (await fixture.keyStatus()).keys.length === 2);
    writeFileOf({ active: 'k2', keys: { k1, k2 } });
    await waitFor(async () => (await fixture.keyStatus()).active_key_id === 'k2');
    for (let n = 0; n < 5; n++) expect(await openAll()).toEqual(expected);

    writeFileSync(other, JSON.stringify({ active: 'k2', keys: { k1, k2 } }));
    await waitFor(async () => {
      const { keys } = await fixture.keyStatus();
      return keys.some(({ id, secrets }) => id === 'k2' && secrets === 20);
    });
    expect(await openAll()).toEqual(expected);
  });

  test('an instance without a needed key reads its file before it fails', async () => {
    const [k1, k2] = [newKey(), newKey()];
    writeFileOf({ active: 'k1', keys: { k1 } });
    const lagging = await fixture.start({ ...fromFile(), VAULT_KEYS_CHECK_MS: '3600000' });
    const { openAll, expected } = await plant(3);
    writeFileOf({ active: 'k2', keys: { k1, k2 } });
    const ahead = await fixture.start({ ...fromFile(), VAULT_KEYS_CHECK_MS: '50' });
    await waitFor(async () => {
      const rows = await fixture.query(`SELECT 1 FROM vault.secrets WHERE master_key_id = 'k1'`);
      return rows.length === 0;
    });
    await ahead.close();
    expect(await openAll()).toEqual(expected);
    await lagging.close();
  });

  test('a key is retired only when nothing needs it, and then nothing is ever wrapped by it again', async () => {
    const keys = { k1: newKey(), k2: newKey() };
    const retire = () => fixture.bus.call(vaultKeys.retire, { key_id: 'k1', actor: 'operator' });
    const old = await fixture.start(fromEnvironment(keys, 'k1'));
    await plant(1);
    await expect(retire()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('active'),
    });
    await old.close();
    const idle = await fixture.start({ ...fromEnvironment(keys, 'k2'), VAULT_KEYS_CHECK_MS: '3600000' });
    await expect(retire()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('1 secret'),
    });
    expect((await fixture.keyStatus()).keys).toContainEqual({ id: 'k1', state: 'serving', secrets: 1 });
    await idle.close();

    const vault = await fixture.start(fromEnvironment(keys, 'k2'));
    await fixture.rotated();
    const { keys: states } = await retire();
    expect(states).toEqual([
      { id: 'k1', state: 'retired', secrets: 0 },
      { id: 'k2', state: 'active', secrets: 1 },
    ]);
    await vault.close();
    await expect(fixture.start(fromEnvironment(keys, 'k1'))).rejects.toThrow(
      /active master key k1 was retired/,
    );
  });

  test('an instance whose active key was retired under it writes nothing by it', async () => {
    const keys = { k1: newKey(), k2: newKey() };
    await fixture.start({ ...fromEnvironment(keys, 'k1'), VAULT_KEYS_CHECK_MS: '3600000' });
    await fixture.query(`INSERT INTO vault.retired_keys (id, retired_by) VALUES ('k1', 'another instance')`);
    await expect(fixture.set('LATE', 'value')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await fixture.query(`SELECT 1 FROM vault.secrets`)).toEqual([]);
  });

  test('unusable keys are reported and not loaded', async () => {
    const keys = { k1: newKey() };
    writeFileOf({ active: 'k1', keys });
    await fixture.start(fromFile());
    const { openAll, expected } = await plant(2);
    writeFileOf({ active: 'k1', keys: { k1: newKey() } });
    await waitFor(async () => (await fixture.keyStatus()).problem !== null);
    expect((await fixture.keyStatus()).problem).toMatch(/master keys k1 are not those that wrapped/);
    expect(await openAll()).toEqual(expected);
    await expect(fixture.bus.call(vaultKeys.rotate, { actor: 'operator' })).rejects.toMatchObject({
      code: 'conflict',
    });
    writeFileOf({ active: 'k1', keys });
    await waitFor(async () => (await fixture.keyStatus()).problem === null);
  });
});

describe('the vault does not start', () => {
  test.each([
    [
      'without a key that stored secrets need',
      { k9: newKey() },
      'k9',
      /need the master keys k1, which are not there/,
    ],
    [
      'with another key under the same id',
      { k1: newKey() },
      'k1',
      /master keys k1 are not those that wrapped/,
    ],
  ])('the vault does not start %s, and names it', async (_what, keys, active, message) => {
    const first = await fixture.start(fromEnvironment({ k1: newKey() }, 'k1'));
    await plant(1);
    await first.close();
    await expect(fixture.start(fromEnvironment(keys, active))).rejects.toThrow(message);
  });

  test('the vault does not start without its key file, and creates none', async () => {
    await expect(fixture.start(managed())).rejects.toThrow(/cannot be read \(ENOENT\)/);
    expect(() => statSync(file)).toThrow();
  });
});
