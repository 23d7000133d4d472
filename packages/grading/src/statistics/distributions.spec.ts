import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  betaQuantile,
  incompleteBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  studentCdf,
  studentQuantile,
  studentTwoSided,
} from './distributions.js';

describe('special functions', () => {
  test.each([
    [1, 0],
    [0.5, Math.log(Math.PI) / 2],
    [5, Math.log(24)],
    [0.001, 6.907178885383854],
    [171, 706.5730622457874],
    [10_000, 82_099.71749644238],
  ])('the logarithm of Γ(%d) has its known value', (x, want) => {
    expect(Math.abs(logGamma(x) - want)).toBeLessThan(1e-12 * Math.max(1, Math.abs(want)));
  });

  test('the incomplete beta function is symmetric: Iₓ(a, b) = 1 − I₁₋ₓ(b, a)', () => {
    const parameter = fc.double({ min: 0.5, max: 500, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), parameter, parameter, (x, a, b) => {
        expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 10);
      }),
    );
  });
});

describe('quantiles of the beta distribution', () => {
  // By scipy 1.17.
  test.each([
    [0.025, 3, 18, 0.0320709368],
    [0.975, 51, 50, 0.6016788705],
    [0.8, 6, 55, 0.1285744793],
  ])('the quantile %d of the beta distribution for %d and %d has its known value', (p, a, b, want) => {
    expect(betaQuantile(p, a, b)).toBeCloseTo(want, 9);
  });

  test('the quantile is where the distribution function reaches p, and all weight at an end is that end', () => {
    const shape = fc.double({ min: 0.5, max: 2_000, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), shape, shape, (p, a, b) => {
        expect(incompleteBeta(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 9);
      }),
    );
    expect([betaQuantile(0.1, 0, 5), betaQuantile(0.1, 5, 0)]).toEqual([0, 1]);
  });

  test('no argument sends the incomplete beta function back and forth between its two sides', () => {
    const shape = fc.double({ min: 0.5, max: 500, noNaN: true });
    fc.assert(
      fc.property(shape, shape, fc.integer({ min: -4, max: 4 }), (a, b, ulps) => {
        const x = (a + 1) / (a + b + 2) + ulps * Number.EPSILON;
        expect(incompleteBeta(x, a, b)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('Student t', () => {
  test.each([
    [0.975, 1, 12.706204736174698],
    [0.975, 2, 4.302652729696142],
    [0.8, 7, 0.8960296435270003],
    [0.95, 39, 1.6848751217112248],
    [0.975, 79, 1.9904502102301198],
    [0.975, 1e6, 1.959966357062376],
  ])('the quantile of %d at df %d is tabulated', (p, df, want) => {
    expect(studentQuantile(p, df)).toBeCloseTo(want, 8);
  });

  test('one degree of freedom is the Cauchy distribution', () => {
    for (const t of [-30, -1, 0, 0.3, 5]) {
      expect(studentCdf(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 12);
    }
  });

  test('far tails keep their relative precision', () => {
    // df = 2 has a closed form: P(T > t) = ½·(1 − t/√(t² + 2)), which is 1/(2t²) for a large t.
    expect(studentTwoSided(1e6, 2) / 1e-12).toBeCloseTo(1, 6);
  });

  test('the quantile undoes the distribution', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 500 }),
        (p, df) => expect(studentCdf(studentQuantile(p, df), df)).toBeCloseTo(p, 9),
      ),
    );
  });
});

describe('normal', () => {
  test.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729143],
    [0.5, 0],
    [0.001, -3.090232306167813],
  ])('the quantile of %d is tabulated', (p, want) => {
    expect(normalQuantile(p)).toBeCloseTo(want, 9);
  });

  test('the normal distribution far out is 0 and 1', () => {
    expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1]);
  });
});
