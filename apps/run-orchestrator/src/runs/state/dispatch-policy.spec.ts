import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fairShares, freeShareOf } from './dispatch-policy.js';

const totals = fc.integer({ min: 0, max: 500 });
const wishes = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 });
const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

describe('what runs of one workspace share', () => {
  test('fair shares never exceed the total or the demand, and nothing is left while demand remains', () => {
    fc.assert(
      fc.property(totals, wishes, (total, wanted) => {
        const shares = fairShares(total, wanted);
        expect(shares.every((share, index) => share >= 0 && share <= (wanted[index] ?? 0))).toBe(true);
        expect(sum(shares)).toBe(Math.min(total, sum(wanted)));
      }),
    );
  });

  test('fair shares are equal: an unsatisfied run has no less than any other, but for the remainder', () => {
    fc.assert(
      fc.property(totals, wishes, (total, wanted) => {
        const shares = fairShares(total, wanted);
        const most = Math.max(0, ...shares);
        const short = shares.filter((share, index) => share < (wanted[index] ?? 0));
        expect(short.every((share) => share >= most - 1)).toBe(true);
      }),
    );
  });

  test.each([
    [10, [100, 3], [7, 3]],
    [10, [100, 100], [5, 5]],
    [7, [100, 100, 100], [3, 2, 2]],
    [2, [9, 9, 9], [1, 1, 0]],
    [0, [5], [0]],
  ])('a share of %j among runs that request %j is %j', (total, wanted, shares) => {
    expect(fairShares(total, wanted)).toEqual(shares);
  });
});

describe('the free share of a run', () => {
  const large = { runId: 'large', inFlight: 10, wanted: 2_000 };
  const small = { runId: 'small', inFlight: 0, wanted: 10 };

  test('the free share of a run is the rest of its share and of the workspace', () => {
    expect(freeShareOf('large', [{ ...large, inFlight: 4 }], 10)).toBe(6);
    expect(freeShareOf('small', [{ ...large, inFlight: 3 }, small], 10)).toBe(5);
    expect(freeShareOf('small', [{ ...large, inFlight: 7 }, small], 10)).toBe(3);
  });

  test('a run has no free share while others exceed theirs, nor when it exceeds its own', () => {
    expect(freeShareOf('small', [large, small], 10)).toBe(0);
    expect(freeShareOf('large', [{ ...large, inFlight: 6 }, small], 10)).toBe(0);
  });

  test('a run that dispatches nothing any more has no free share', () => {
    expect(freeShareOf('gone', [large], 100)).toBe(0);
  });
});
