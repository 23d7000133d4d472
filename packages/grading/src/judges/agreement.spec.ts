import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AgreementMetric, krippendorffAlpha, type RatedUnit } from './agreement.js';

const N = null;
/** Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: twelve units, four observers. */
const PUBLISHED: RatedUnit[] = [
  [1, 1, N, 1],
  [2, 2, 3, 2],
  [3, 3, 3, 3],
  [3, 3, 3, 3],
  [2, 2, 2, 2],
  [1, 2, 3, 4],
  [4, 4, 4, 4],
  [1, 1, 2, 1],
  [2, 2, 2, 2],
  [N, 5, 5, 5],
  [N, N, 1, 1],
  [N, 3, N, N],
];

const METRICS: AgreementMetric[] = ['nominal', 'ordinal', 'interval'];
const units = fc.array(
  fc.array(fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }), { minLength: 2, maxLength: 5 }),
  { minLength: 1, maxLength: 20 },
);

/** The coefficient by its definition, as a sum over all pairs of values. */
function byDefinition(rated: readonly RatedUnit[], metric: AgreementMetric): number | null {
  const pairable = rated
    .map((unit) => unit.flatMap((value) => value ?? []))
    .filter((unit) => unit.length > 1);
  const all = pairable.flat();
  const marginal = (value: number) => all.filter((each) => each === value).length;
  const distance = (a: number, b: number) => {
    if (metric === 'nominal') return a === b ? 0 : 1;
    if (metric === 'interval') return (a - b) ** 2;
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const between = all.filter((each) => each >= low && each <= high).length;
    return a === b ? 0 : (between - (marginal(low) + marginal(high)) / 2) ** 2;
  };
  const pairs = (values: readonly number[]) =>
    values.flatMap((a) => values.map((b) => distance(a, b))).reduce((total, each) => total + each, 0);
  const observed = pairable.reduce((total, unit) => total + pairs(unit) / (unit.length - 1), 0);
  const expected = pairs(all) / (all.length - 1);
  return expected > 0 ? 1 - observed / expected : null;
}

describe('Krippendorff’s alpha', () => {
  test.each([
    ['nominal', 0.743],
    ['ordinal', 0.815],
    ['interval', 0.849],
  ] as const)('the %s coefficient of the published example is %d, with missing ratings', (metric, alpha) => {
    expect(krippendorffAlpha(PUBLISHED, metric)).toBeCloseTo(alpha, 3);
  });

  test('the coefficient equals its definition for every metric', () => {
    fc.assert(
      fc.property(units, fc.constantFrom(...METRICS), (rated, metric) => {
        const alpha = krippendorffAlpha(rated, metric);
        const defined = byDefinition(rated, metric);
        if (defined === null) expect(alpha).toBeNull();
        else expect(alpha).toBeCloseTo(defined, 9);
      }),
    );
  });

  test('the order of raters and of units changes no coefficient', () => {
    fc.assert(
      fc.property(units, fc.constantFrom(...METRICS), (rated, metric) => {
        const turned = rated.map((unit) => [...unit].reverse()).reverse();
        const [one, other] = [krippendorffAlpha(rated, metric), krippendorffAlpha(turned, metric)];
        if (one === null) expect(other).toBeNull();
        else expect(other).toBeCloseTo(one, 9);
      }),
    );
  });

  test('equal fractions have no coefficient, whatever their mean is rounded to', () => {
    expect(
      krippendorffAlpha(
        [
          [0.1, 0.1, 0.1],
          [0.1, 0.1],
        ],
        'interval',
      ),
    ).toBeNull();
  });

  test('a hundred thousand ratings of different values take less than a second', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => [index, index + 1]);
    const startedAt = performance.now();
    expect(krippendorffAlpha(many, 'interval')).toBeCloseTo(1, 6);
    expect(krippendorffAlpha(many, 'ordinal')).toBeCloseTo(1, 6);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
