import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, pageOf } from './cursor.js';

describe('cursors', () => {
  test('give back any sort key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (key) => {
        expect(decodeCursor(encodeCursor(key))).toBe(key);
      }),
    );
  });

  test('that were never made here are refused, whatever they are', () => {
    for (const cursor of ['', '%%%', 'a', '====', 'Zm9v!']) {
      expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    }
  });

  test('walk a list without gap or repetition, for every page size', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        (numbers, limit) => {
          const sorted = [...numbers].sort((a, b) => a - b);
          const seen: number[] = [];
          let cursor: string | undefined;
          do {
            const after = decodeCursor(cursor);
            const rows = sorted.filter((n) => after === undefined || n > Number(after)).slice(0, limit + 1);
            const page = pageOf(rows, limit, { item: (n) => n, sortKey: String });
            seen.push(...page.items);
            cursor = page.next_cursor ?? undefined;
          } while (cursor !== undefined);
          expect(seen).toEqual(sorted);
        },
      ),
    );
  });
});
