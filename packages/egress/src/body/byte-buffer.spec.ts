import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteBuffer } from './byte-buffer.js';

describe('A buffer of bytes', () => {
  test('A buffer holds what was appended, without what was taken', () => {
    const step = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.integer({ min: 0, max: 50 }).map((count) => ({ count })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const buffer = new ByteBuffer();
        let expected = Buffer.alloc(0);
        for (const each of steps) {
          if (each instanceof Uint8Array) {
            buffer.append(each);
            expected = Buffer.concat([expected, each]);
          } else {
            const count = Math.min(each.count, expected.length);
            expect(buffer.take(count).equals(expected.subarray(0, count))).toBe(true);
            expected = expected.subarray(count);
          }
          expect(buffer.bytes.equals(expected)).toBe(true);
        }
      }),
    );
  });
});
