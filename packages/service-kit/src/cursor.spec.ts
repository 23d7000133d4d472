import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, decodeIdCursor, decodePositionCursor, encodeCursor, pageOf } from './cursor.js';

describe('cursors', () => {
  test('a cursor restores any sort key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (key) => {
        fc.pre(!/\p{Cc}/u.test(key));
        expect(decodeCursor(encodeCursor(key))).toBe(key);
      }),
    );
  });

  test('a cursor of another origin is rejected', () => {
    for (const cursor of ['', '%%%', 'a', '====', 'Zm9v!']) {
      expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    }
  });

  test('a cursor of a list that is ordered by another key is rejected', () => {
    const invalidInput = expect.objectContaining({ code: 'invalid_input' });
    for (const text of [
      'null',
      '{"a":1}',
      '\u0000',
      '999999999999999',
      '2147483648',
      '-1',
      '1.5',
      '1e3',
      'x',
    ]) {
      expect(() => decodeIdCursor(encodeCursor(text))).toThrow(invalidInput);
      expect(() => decodePositionCursor(encodeCursor(text))).toThrow(invalidInput);
    }
    expect(() => decodeCursor(encodeCursor('a\u0000'))).toThrow(invalidInput);
    const id = '01900000-0000-7000-8000-000000000000';
    expect(decodeIdCursor(encodeCursor(id))).toBe(id);
    expect(decodePositionCursor(encodeCursor('2147483647'))).toBe(2_147_483_647);
  });

  test('cursors walk a list without gap or repetition, for every page size', () => {
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
