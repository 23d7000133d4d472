import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tailText } from './attempt-sandbox.js';

test('the end of an output never takes more bytes than it may, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(100), (bytes, bytesMax) => {
      expect(Buffer.byteLength(tailText(bytes, bytesMax))).toBeLessThanOrEqual(bytesMax);
    }),
  );
});

test('a text that fits stays as it is, a longer one keeps whole characters of its end', () => {
  expect(tailText(Buffer.from('añb'), 4)).toBe('añb');
  expect(tailText(Buffer.from('añb'), 2)).toBe('b');
});
