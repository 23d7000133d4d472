import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isIdPart, matchIdPart } from './id-part.js';

const ITEMS = [
  { id: '01a206a5-8267-73ad-9d6b-f944923bb4d5' },
  { id: '01a206a5-82cb-739e-ab10-c56fe920753c' },
];

describe('a part of an id', () => {
  test('part of an id is its beginning or its end, with hyphens or without, in any case of letters', () => {
    for (const part of ['01a206a5-8267', '01A206A58267', 'f944923bb4d5', '9d6b-f944923bb4d5']) {
      expect(matchIdPart(ITEMS, part, 'run')).toBe(ITEMS[0]);
    }
    expect(matchIdPart(ITEMS, '73ad', 'run')).toBeUndefined();
  });

  test('an ambiguous part of an id is refused, with all the ids that have it', () => {
    expect(() => matchIdPart(ITEMS, '01a206a5', 'run')).toThrow(
      expect.objectContaining({
        message: '"01a206a5" is the beginning or the end of several run ids',
        choices: ITEMS.map(({ id }) => id),
      }),
    );
  });

  test.each(['abc', '', 'solver', '----', 'last', `${'0'.repeat(37)}`])(
    'the text "%s" is no part of an id',
    (text) => {
      expect(isIdPart(text)).toBe(false);
    },
  );

  test('every id is found by any beginning and any end that only it has', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 9, max: 36 }), (id, length) => {
        expect(matchIdPart([{ id }], id.slice(0, length), 'run')).toEqual({ id });
        expect(matchIdPart([{ id }], id.slice(-length), 'run')).toEqual({ id });
      }),
    );
  });
});
