import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cohenKappa, type RatedPair } from './cohen-kappa.js';

const times = <Category>(count: number, pair: RatedPair<Category>) =>
  Array.from({ length: count }, () => pair);
const category = fc.constantFrom('pass', 'fail', 'tie');
const pairs = fc.array(fc.tuple(category, category), { maxLength: 60 });

describe('Cohen’s kappa', () => {
  test('the textbook table of fifty grant proposals has a kappa of 0.4', () => {
    const ratings = [
      ...times(20, ['yes', 'yes']),
      ...times(5, ['yes', 'no']),
      ...times(10, ['no', 'yes']),
      ...times(15, ['no', 'no']),
    ] as RatedPair<string>[];
    expect(cohenKappa(ratings)).toEqual({ items: 50, agreement: 0.7, kappa: expect.closeTo(0.4, 12) });
  });

  test('three categories give the value that scikit-learn documents', () => {
    const one = ['negative', 'positive', 'negative', 'neutral', 'positive'];
    const other = ['negative', 'positive', 'negative', 'neutral', 'negative'];
    const ratings = one.map((each, index): RatedPair<string> => [each, other[index] ?? '']);
    expect(cohenKappa(ratings).kappa).toBeCloseTo(0.6875, 12);
  });

  test('raters without a common item, or with one category, have no kappa', () => {
    expect(cohenKappa([])).toEqual({ items: 0, agreement: null, kappa: null });
    expect(cohenKappa(times(7, ['a', 'a']))).toEqual({ items: 7, agreement: 1, kappa: null });
  });

  test('kappa lies within −1 and 1, is symmetric, and is 1 only for equal ratings', () => {
    fc.assert(
      fc.property(pairs, (ratings) => {
        const { kappa } = cohenKappa(ratings);
        const { kappa: swapped } = cohenKappa(ratings.map(([a, b]): RatedPair<string> => [b, a]));
        expect(swapped).toBe(kappa);
        if (kappa === null) return;
        expect(kappa).toBeGreaterThanOrEqual(-1);
        expect(kappa).toBeLessThanOrEqual(1);
        expect(kappa === 1).toBe(ratings.every(([a, b]) => a === b));
      }),
    );
  });
});
