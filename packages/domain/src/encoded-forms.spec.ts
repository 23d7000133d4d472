import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BASE64_URL, base64Span, JSON_ESCAPES } from './encoded-forms.js';

test('The span of a value in base64 does not change with the bytes around it', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
  const around = fc.uint8Array({ minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(bytes, around, around, fc.nat(2), (value, left, right, before) => {
      const { first, end } = base64Span(value.length, before);
      const spanIn = (start: Uint8Array, rest: Uint8Array) =>
        Buffer.concat([start.subarray(0, before), value, rest])
          .toString('base64')
          .slice(first, end);
      expect(spanIn(left, right)).toBe(spanIn(new Uint8Array(3), new Uint8Array(0)));
      expect(end - first).toBeGreaterThanOrEqual(Math.floor((value.length * 8) / 6) - 1);
    }),
  );
});

test('The short escapes are those that JSON readers accept', () => {
  for (const [character, short] of Object.entries(JSON_ESCAPES)) {
    expect(JSON.parse(`"\\${short}"`)).toBe(character);
  }
});

test('The URL alphabet of base64 replaces the characters that a URL reserves', () => {
  const text = Buffer.from([0xfb, 0xff, 0xbf]);
  expect(text.toString('base64').replace(/[+/]/g, (unit) => BASE64_URL[unit] ?? '')).toBe(
    text.toString('base64url'),
  );
});
