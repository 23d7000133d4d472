import { describe, expect, test } from '@jest/globals';
import { bearerToken, newTokenText, privateKeyOf, tokenHash } from './token-text.js';

describe('a token', () => {
  test('a token is read from its header in any case of the scheme', () => {
    const text = newTokenText();
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) expect(bearerToken(`${scheme} ${text}`)).toBe(text);
  });

  test.each([
    '',
    'Bearer',
    'Bearer ac_',
    'Bearer xx_0123456789abcdef',
    `Bearer ac_${'a'.repeat(300)}`,
    'Bearer ac_a b',
  ])('no token is read from "%s"', (header) => expect(bearerToken(header)).toBeUndefined());

  test('neither the hash nor the key of a token reveals it, and no two tokens share them', () => {
    const [one, other] = [newTokenText(), newTokenText()];
    expect(tokenHash(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(tokenHash(one)).not.toBe(tokenHash(other));
    expect(privateKeyOf(one)).toHaveLength(32);
    expect(privateKeyOf(one).equals(privateKeyOf(other))).toBe(false);
    expect(privateKeyOf(one).toString('hex')).not.toBe(tokenHash(one));
  });
});
