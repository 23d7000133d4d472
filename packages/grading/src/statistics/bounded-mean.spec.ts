import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedMeanInterval, boundedMeanLower, mean } from './sample.js';

const score = fc.double({ min: 0, max: 1, noNaN: true });
const scores = fc.array(score, { minLength: 1, maxLength: 60 });

describe('the interval of a mean of scores', () => {
  test.each([
    [0, 5, 0, 0.52182375],
    [5, 5, 0.47817625, 1],
    [2, 2, 0.158113883, 1],
    [1, 2, 0.012579117, 0.987420883],
    [3, 20, 0.032070937, 0.378926827],
    [50, 100, 0.39832113, 0.60167887],
  ])(
    'the interval of %d ones among %d zeros and ones is that of Clopper and Pearson',
    (ones, n, low, high) => {
      const values = Array.from({ length: n }, (_, index) => (index < ones ? 1 : 0));
      const interval = boundedMeanInterval(values);
      expect(interval?.[0]).toBeCloseTo(low, 8);
      expect(interval?.[1]).toBeCloseTo(high, 8);
    },
  );

  // Quantiles of a million random weightings each.
  test.each([
    [[0.2, 0.4, 0.9, 0.5, 0.7], 0.2291, 0.8204],
    [[0, 0.2, 0.4, 1, 1, 0.8, 0.6, 0.2, 0, 1], 0.253, 0.7806],
    [[...Array.from({ length: 18 }, () => 0.9), 0.1, 0.5], 0.6682, 0.8994],
    [Array.from({ length: 20 }, (_, index) => 0.98 + 0.001 * index), 0.8235, 0.9925],
  ])('the interval is near the exact quantiles of the weighted mean: %j', (values, low, high) => {
    const interval = boundedMeanInterval(values);
    expect(Math.abs((interval?.[0] ?? 0) - low)).toBeLessThan(0.02);
    expect(Math.abs((interval?.[1] ?? 0) - high)).toBeLessThan(0.02);
  });

  test('the interval never leaves 0..1, always has a width and always holds the mean', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const [low, high] = boundedMeanInterval(values) ?? [2, -1];
        const center = mean(values) ?? -1;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high - low).toBeGreaterThan(0);
        expect(low).toBeLessThanOrEqual(center + 1e-12);
        expect(high).toBeGreaterThanOrEqual(center - 1e-12);
      }),
    );
  });

  test('the interval does not depend on the order of the scores, and mirrors with them', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const [low, high] = boundedMeanInterval(values) ?? [2, -1];
        const back = boundedMeanInterval([...values].reverse()) ?? [2, -1];
        const mirrored = boundedMeanInterval(values.map((value) => 1 - value)) ?? [2, -1];
        expect(back[0]).toBeCloseTo(low, 9);
        expect(mirrored[0]).toBeCloseTo(1 - high, 9);
        expect(mirrored[1]).toBeCloseTo(1 - low, 9);
      }),
    );
  });

  test('n equal scores exclude no more than a share of 1 − 0.05^(1/n) of zeros', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), score, (n, value) => {
        const lower = boundedMeanLower(
          Array.from({ length: n }, () => value),
          0.05,
        );
        expect(lower).toBeCloseTo(value * 0.05 ** (1 / n), 9);
      }),
    );
  });

  test('no scores have no interval', () => expect(boundedMeanInterval([])).toBeNull());
});
