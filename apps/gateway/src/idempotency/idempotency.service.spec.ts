import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openResponse, sealResponse } from './idempotency.service.js';

const key = randomBytes(32);
const response = { token: 'ac_secret', n: [1, null, 'ü'] };

describe('a sealed response', () => {
  test('a sealed response opens with the same key and context', () => {
    expect(openResponse(sealResponse(response, key, 'a/1'), key, 'a/1')).toEqual(response);
  });

  test('a sealed response reveals nothing and differs each time', () => {
    const sealed = sealResponse(response, key, 'a/1');
    expect(sealed.includes('ac_secret')).toBe(false);
    expect(sealResponse(response, key, 'a/1').equals(sealed)).toBe(false);
  });

  test('a sealed response does not open with another key, another context, or altered bytes', () => {
    const sealed = sealResponse(response, key, 'a/1');
    expect(() => openResponse(sealed, randomBytes(32), 'a/1')).toThrow();
    expect(() => openResponse(sealed, key, 'a/2')).toThrow();
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => openResponse(altered, key, 'a/1')).toThrow();
    }
  });
});
