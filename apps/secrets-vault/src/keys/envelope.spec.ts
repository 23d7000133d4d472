import { describe, expect, test } from '@jest/globals';
import { KeyRing } from '../key-ring.js';
import { decryptSecret, encryptSecret } from './envelope.js';

const base64Key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const ring = new KeyRing({ old: base64Key(1), new: base64Key(2) }, 'new');
const identity = { workspaceId: 'w', key: 'API_KEY', version: 1 };
const value = Buffer.from('s3cret-välue');

describe('the envelope of a secret', () => {
  test('an envelope opens to the value that it was made of', () => {
    expect(decryptSecret(encryptSecret(value, identity, ring), identity, ring)).toEqual(value);
  });

  test.each([
    ['another workspace', { ...identity, workspaceId: 'x' }],
    ['another key', { ...identity, key: 'OTHER' }],
    ['another version', { ...identity, version: 2 }],
  ])('an envelope does not open as the secret of %s', (_what, other) => {
    const envelope = encryptSecret(value, identity, ring);
    expect(() => decryptSecret(envelope, other, ring)).toThrow();
  });

  test('an envelope does not open once a byte was altered', () => {
    const envelope = encryptSecret(value, identity, ring);
    envelope.ciphertext[20] = (envelope.ciphertext[20] ?? 0) ^ 1;
    expect(() => decryptSecret(envelope, identity, ring)).toThrow();
  });

  test('an envelope never holds the plaintext', () => {
    const envelope = encryptSecret(value, identity, ring);
    expect(Buffer.from(envelope.ciphertext).includes(value)).toBe(false);
  });

  test('an envelope opens by key id while both keys serve, and a missing key is named', () => {
    const before = encryptSecret(value, identity, new KeyRing({ old: base64Key(1) }, 'old'));
    expect(decryptSecret(before, identity, ring)).toEqual(value);
    expect(() => decryptSecret(before, identity, new KeyRing({ new: base64Key(2) }, 'new'))).toThrow(/"old"/);
  });
});

describe('the key ring', () => {
  test.each([
    ['a key of the wrong size', { a: 'AAAA' }, 'a', /"a" is not base64 of 32 bytes/],
    ['an active key that is not there', { a: base64Key(1) }, 'b', /active key "b" is not among the keys/],
  ])('the key ring refuses %s', (_what, keys, active, message) => {
    expect(() => new KeyRing(keys, active)).toThrow(message);
  });
});
