import { describe, expect, test } from '@jest/globals';
import { estimateScore } from '../statistics/sample.js';
import { Random } from '../testing/random.js';
import { passRate } from './aggregate.js';
import type { CaseSummary } from './types.js';

const SIMULATIONS = 600;
/** Nominal 0.95, less what 600 simulations err by. */
const COVERAGE_MIN = 0.93;

const random = new Random(20_240_229);

function caseOf(index: number, trials: number, successes: number): CaseSummary {
  const overall = successes / trials;
  return { case_key: `c${index}`, overall, trials, successes, dimensions: {}, raw: {} };
}

/** The share of simulated runs whose interval holds the true mean; every interval must lie within 0..1. */
function coverage(truth: number, interval: () => readonly [number, number] | null): number {
  let covered = 0;
  for (let run = 0; run < SIMULATIONS; run += 1) {
    const [low, high] = interval() ?? [2, -1];
    expect(low).toBeGreaterThanOrEqual(0);
    expect(high).toBeLessThanOrEqual(1);
    if (low <= truth + 1e-12 && truth - 1e-12 <= high) covered += 1;
  }
  return covered / SIMULATIONS;
}

const CELLS = [5, 20, 100].flatMap((n) => [0.05, 0.5, 0.95].map((rate) => ({ n, rate })));

describe('the interval that is shown beside a mean covers the truth', () => {
  test.each(CELLS)(
    'the interval covers pass rate and overall of $n cases that pass at $rate, one trial each',
    ({ n, rate }) => {
      const trial = (_: unknown, index: number) => caseOf(index, 1, random.binomial(1, rate));
      const covered = coverage(rate, () => {
        const cases = Array.from({ length: n }, trial);
        const { interval } = passRate(cases);
        expect(estimateScore(cases.map(({ overall }) => overall ?? 0)).interval).toEqual(interval);
        return interval;
      });
      expect(covered).toBeGreaterThanOrEqual(COVERAGE_MIN);
    },
  );

  test.each(CELLS.flatMap((cell) => [0.5, 2, 50].map((alike) => ({ ...cell, alike }))))(
    'the interval covers the pass rate of $n cases at $rate, five repetitions, concentration $alike',
    ({ n, rate, alike }) => {
      const repeated = (_: unknown, index: number) =>
        caseOf(index, 5, random.binomial(5, random.beta(rate, alike)));
      const covered = coverage(rate, () => passRate(Array.from({ length: n }, repeated)).interval);
      expect(covered).toBeGreaterThanOrEqual(COVERAGE_MIN);
    },
  );

  test.each([5, 20, 100])(
    'the interval covers the overall of %d cases whose graded scores are near 0.9',
    (n) => {
      const graded = () => random.beta(0.9, 10);
      const covered = coverage(0.9, () => estimateScore(Array.from({ length: n }, graded)).interval);
      expect(covered).toBeGreaterThanOrEqual(COVERAGE_MIN);
    },
  );

  test.each([5, 20, 100])(
    'the interval covers the overall of %d cases of which one in twenty fails as a whole',
    (n) => {
      const mostly = () => (random.uniform() < 0.05 ? 0 : 0.9);
      const covered = coverage(0.855, () => estimateScore(Array.from({ length: n }, mostly)).interval);
      expect(covered).toBeGreaterThanOrEqual(COVERAGE_MIN);
    },
  );
});

test('the interval is about as wide as the t interval where the t interval is valid', () => {
  const values = Array.from({ length: 100 }, () => random.binomial(1, 0.5));
  const { ci, interval } = estimateScore(values);
  const width = (ends: readonly [number, number] | null) => (ends === null ? 0 : ends[1] - ends[0]);
  expect(width(interval)).toBeLessThan(1.1 * width(ci));
});
