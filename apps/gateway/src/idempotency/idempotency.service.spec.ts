import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openResponse, sealResponse } from './idempotency.service.js';

const key = randomBytes(32);
const response = { token: 'ac_secret', n: [1, null, 'ü'] };

describe('a sealed answer', () => {
  test('opens for the same key and place', () => {
    expect(openResponse(sealResponse(response, key, 'a/1'), key, 'a/1')).toEqual(response);
  });

  test('shows nothing and is never twice the same', () => {
    const sealed = sealResponse(response, key, 'a/1');
    expect(sealed.includes('ac_secret')).toBe(false);
    expect(sealResponse(response, key, 'a/1').equals(sealed)).toBe(false);
  });

  test('does not open for another key, at another place, or altered', () => {
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
