import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { excerpts } from './excerpt.js';

describe('excerpts of two texts', () => {
  test('are the texts themselves where both are short', () => {
    expect(excerpts('6', 'The result is 3')).toEqual({
      expected: { text: '6' },
      actual: { text: 'The result is 3' },
    });
    expect(excerpts(null, '')).toEqual({ expected: null, actual: { text: '' } });
  });

  test('of long texts hold the first difference, at the same position in both', () => {
    const same = 'x'.repeat(50_000);
    const { expected, actual } = excerpts(`${same}A${same}`, `${same}B${same}`);
    expect(expected).toMatchObject({ from: 49_800, length: 100_001 });
    expect(actual).toMatchObject({ from: 49_800, length: 100_001 });
    expect([expected?.text[200], actual?.text[200]]).toEqual(['A', 'B']);
    expect(expected?.text).toHaveLength(2_000);
  });

  test('where one text continues behind the other, show its end', () => {
    const { expected, actual } = excerpts('y'.repeat(5_000), `${'y'.repeat(5_000)}, and more`);
    expect(expected?.text).toBe('y'.repeat(200));
    expect(actual?.text).toBe(`${'y'.repeat(200)}, and more`);
  });

  const long = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 1, max: 400 }));
  test('are parts of the texts at the places named, bounded, and part no character', () => {
    fc.assert(
      fc.property(long, long, long, ([before, times], [left, leftTimes], [right, rightTimes]) => {
        const [a, b] = [
          before.repeat(times) + left.repeat(leftTimes),
          before.repeat(times) + right.repeat(rightTimes),
        ];
        const { expected, actual } = excerpts(a, b);
        for (const [text, excerpt] of [
          [a, expected],
          [b, actual],
        ] as const) {
          const { text: part = '', from = 0, length = part.length } = excerpt ?? {};
          expect(text.slice(from, from + part.length)).toBe(part);
          expect(length).toBe(text.length);
          expect(part.length).toBeLessThanOrEqual(2_001);
          expect(part).not.toMatch(/[\ud800-\udfff]/u);
        }
      }),
    );
  });
});
