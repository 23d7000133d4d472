import { describe, expect, test } from '@jest/globals';
import { vaultConfig } from './index.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const DATABASE_URL = 'postgresql://localhost/x';
const read = (environment: Record<string, string>) => () => vaultConfig({ DATABASE_URL, ...environment });

describe('the keys of the vault', () => {
  test('the keys of the vault are read from the environment or from a file', () => {
    const given = read({ VAULT_KEYS: JSON.stringify({ k1: KEY }), VAULT_ACTIVE_KEY: 'k1' })();
    expect(given.keySource.kind).toBe('environment');
    expect(read({ VAULT_KEYS_FILE: '/keys' })().keySource).toEqual({ kind: 'file', path: '/keys' });
    expect(read({ VAULT_KEYS_FILE: '/keys', VAULT_KEYS_FILE_MANAGED: 'true' })().keySource).toEqual({
      kind: 'managed_file',
      path: '/keys',
    });
  });

  test.each([
    ['no keys', {}, /VAULT_KEYS: the master keys are missing/],
    ['keys twice', { VAULT_KEYS: '{}', VAULT_KEYS_FILE: '/keys' }, /not both/],
    ['no active key', { VAULT_KEYS: JSON.stringify({ k1: KEY }) }, /VAULT_ACTIVE_KEY/],
    [
      'an active key that is absent',
      { VAULT_KEYS: JSON.stringify({ k1: KEY }), VAULT_ACTIVE_KEY: 'k2' },
      /"k2"/,
    ],
    [
      'a short key',
      { VAULT_KEYS: '{"k1":"AAAA"}', VAULT_ACTIVE_KEY: 'k1' },
      /"k1" is not base64 of 32 bytes/,
    ],
    ['what is no JSON', { VAULT_KEYS: 'k1', VAULT_ACTIVE_KEY: 'k1' }, /must be JSON/],
  ])('the keys of the vault are refused with %s', (_what, environment, message) => {
    expect(read(environment as Record<string, string>)).toThrow(message);
  });

  test('the keys of the vault are in no message and cannot be printed', () => {
    const { keySource } = read({ VAULT_KEYS: JSON.stringify({ k1: KEY }), VAULT_ACTIVE_KEY: 'k1' })();
    expect(JSON.stringify(keySource)).not.toContain(KEY);
    const secret = Buffer.alloc(20, 9).toString('base64');
    expect(read({ VAULT_KEYS: JSON.stringify({ k1: secret }), VAULT_ACTIVE_KEY: 'k1' })).not.toThrow(secret);
  });
});
