import { describe, expect, test } from '@jest/globals';
import { cutPage, readIdCursor, readNumberCursor } from './page-cursor.js';

const key = (row: number) => row;

describe('a page', () => {
  test('names the next one only when there is one', () => {
    const { items, next_cursor } = cutPage([1, 2, 3], 2, key);
    expect(items).toEqual([1, 2]);
    expect(readNumberCursor(next_cursor ?? '')).toBe(2);
    expect(cutPage([1, 2], 2, key)).toEqual({ items: [1, 2], next_cursor: null });
    expect(cutPage([], 2, key)).toEqual({ items: [], next_cursor: null });
  });

  test.each([
    'garbage',
    '',
    Buffer.from('{"a":1}').toString('base64url'),
    Buffer.from('"x"').toString('base64url'),
  ])('refuses the cursor %j, which is none of ours', (cursor) => {
    expect(() => readIdCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => readNumberCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
