import { describe, expect, test } from '@jest/globals';
import { SealedBoxKey, sealFor } from './sealed-box.js';

const plaintext = Buffer.from('the value');

describe('a sealed box', () => {
  test('a sealed box opens with the key it was sealed to, and shows nothing to others', async () => {
    const key = await SealedBoxKey.create();
    const box = await sealFor(key.publicKey, plaintext, 'request');
    expect(Buffer.from(box.ciphertext_base64, 'base64').includes(plaintext)).toBe(false);
    expect(await key.open(box, 'request')).toEqual(plaintext);
  });

  test('a sealed box does not open with another key, for another request, or altered', async () => {
    const key = await SealedBoxKey.create();
    const box = await sealFor(key.publicKey, plaintext, 'request');
    await expect((await SealedBoxKey.create()).open(box, 'request')).rejects.toThrow();
    await expect(key.open(box, 'another request')).rejects.toThrow();
    const bytes = Buffer.from(box.ciphertext_base64, 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await expect(
      key.open({ ...box, ciphertext_base64: bytes.toString('base64') }, 'request'),
    ).rejects.toThrow();
  });
});
