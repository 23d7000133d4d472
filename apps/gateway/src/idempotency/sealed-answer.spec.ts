import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openAnswer, sealAnswer } from './sealed-answer.js';

const key = randomBytes(32);
const answer = { token: 'ac_secret', n: [1, null, 'ü'] };

describe('a sealed answer', () => {
  test('opens for the same key and place', () => {
    expect(openAnswer(sealAnswer(answer, key, 'a/1'), key, 'a/1')).toEqual(answer);
  });

  test('shows nothing and is never twice the same', () => {
    const sealed = sealAnswer(answer, key, 'a/1');
    expect(sealed.includes('ac_secret')).toBe(false);
    expect(sealAnswer(answer, key, 'a/1').equals(sealed)).toBe(false);
  });

  test('does not open for another key, at another place, or altered', () => {
    const sealed = sealAnswer(answer, key, 'a/1');
    expect(() => openAnswer(sealed, randomBytes(32), 'a/1')).toThrow();
    expect(() => openAnswer(sealed, key, 'a/2')).toThrow();
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => openAnswer(altered, key, 'a/1')).toThrow();
    }
  });
});
