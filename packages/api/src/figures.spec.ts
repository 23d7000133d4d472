import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatClock, formatDuration } from './figures.js';

describe('figures', () => {
  test('durations are written in milliseconds to hours, each with its unit', () => {
    const durations = [0, 999, 999.9, 1_000, 59_999, 60_000, 73_000, 185_000, 7_380_000];
    expect(durations.map(formatDuration)).toEqual([
      '0 ms',
      '999 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 m 00 s',
      '1 m 13 s',
      '3 m 05 s',
      '2 h 03 m',
    ]);
  });

  test('a clock has whole seconds', () => {
    expect([0, 999, 9_999, 59_999, 61_000, 3_600_000].map(formatClock)).toEqual([
      '0 s',
      '0 s',
      '9 s',
      '59 s',
      '1 m 01 s',
      '1 h 00 m',
    ]);
  });

  test('no duration is rounded up to the next unit', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (ms) => {
        expect(formatDuration(ms)).not.toMatch(/^1000 ms|^60\.0 s|\b60 s\b|\b60 m\b/);
        expect(formatClock(ms)).not.toMatch(/\b60 s\b|\b60 m\b/);
      }),
    );
  });
});
