import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { median, passAtK, passHatK, wilsonInterval } from './sample.js';
import { holmAdjust, mcnemarP, signFlipP } from './tests.js';

describe('sign flip', () => {
  test('the sign flip test counts the same as trying every choice of signs', () => {
    const differences = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 9 });
    fc.assert(fc.property(differences, (values) => expect(signFlipP(values)).toBe(signFlipByHand(values))));
  });

  test('the sign flip test of twenty cases takes milliseconds', () => {
    const differences = Array.from({ length: 20 }, (_, index) => Math.sin(index));
    const started = performance.now();
    signFlipP(differences);
    expect(performance.now() - started).toBeLessThan(100);
  });

  test('a rounding error in the sum is not evidence', () => {
    expect(signFlipP([0.1, 0.2, 0.3])).toBe(signFlipP([1, 2, 3]));
  });
});

describe('McNemar', () => {
  test('losses and gains are symmetric, and p never exceeds 1', () => {
    const count = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(count, count, (lost, gained) => {
        expect(mcnemarP(lost, gained)).toBeCloseTo(mcnemarP(gained, lost), 12);
        expect(mcnemarP(lost, gained)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('Holm', () => {
  test('adjusting never lowers a p value and keeps their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
        const adjusted = holmAdjust(values);
        values.forEach((p, index) => {
          expect(adjusted[index]).toBeGreaterThanOrEqual(p);
          values.forEach((other, at) => {
            if (p < other) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[at] ?? 0);
          });
        });
      }),
    );
  });
});

describe('shares', () => {
  test('pass@1 and pass^1 are the success rate', () => {
    expect([passAtK(3, 5, 1), passHatK(3, 5, 1)]).toEqual([0.6, 0.6]);
  });

  test('fewer trials than k have no estimate', () => {
    expect([passAtK(3, 3, 4), passHatK(3, 3, 4)]).toEqual([null, null]);
  });

  test('a Wilson interval holds the share and stays within 0 and 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (trials, seed) => {
        const successes = seed % (trials + 1);
        const [low, high] = wilsonInterval(successes, trials) ?? [1, 0];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(successes / trials);
        expect(high).toBeGreaterThanOrEqual(successes / trials);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
    expect(wilsonInterval(0, 0)).toBeNull();
  });

  test('the median of an even count is the mean of the middle two', () => {
    expect([median([4, 1, 3, 2]), median([3, 1, 2]), median([])]).toEqual([2.5, 2, null]);
  });
});

function signFlipByHand(values: readonly number[]): number {
  const signed = values.filter((value) => value !== 0);
  const observed = Math.abs(signed.reduce((total, value) => total + value, 0));
  let reached = 0;
  for (let choice = 0; choice < 2 ** signed.length; choice += 1) {
    const flipped = signed.reduce(
      (total, value, index) => total + (choice & (1 << index) ? value : -value),
      0,
    );
    if (Math.abs(flipped) >= observed) reached += 1;
  }
  return reached / 2 ** signed.length;
}
