import { describe, expect, test } from '@jest/globals';
import { boundedMeanInterval, estimateMean, estimateScore } from '../statistics/sample.js';
import { Random } from '../testing/random.js';
import { SAMPLE_SIZES, SCORE_SAMPLES } from '../testing/score-samples.js';
import { passRate } from './aggregate.js';
import type { CaseSummary } from './types.js';

const SIMULATIONS = 600;
/** Nominal 0.95, less the error of 600 simulations. 4,000 of each run nightly. */
const COVERAGE_MIN = 0.93;

const ones = (passed: number, n: number) => Array.from({ length: n }, (_, index) => (index < passed ? 1 : 0));

describe('the interval that is shown beside a mean covers the truth', () => {
  test.each(SAMPLE_SIZES.flatMap((cases) => SCORE_SAMPLES.map((sample) => ({ cases, ...sample }))))(
    'the interval of $cases cases holds the mean of $title and stays within 0..1',
    ({ cases, mean, draw }) => {
      const random = new Random(20_240_229);
      let covered = 0;
      for (let run = 0; run < SIMULATIONS; run += 1) {
        const [low, high] = boundedMeanInterval(Array.from({ length: cases }, () => draw(random))) ?? [2, -1];
        expect(low >= 0 && high <= 1 && low < high).toBe(true);
        if (low <= mean + 1e-12 && mean - 1e-12 <= high) covered += 1;
      }
      expect(covered / SIMULATIONS).toBeGreaterThanOrEqual(COVERAGE_MIN);
    },
  );

  test.each(SAMPLE_SIZES.flatMap((cases) => [0.05, 0.5, 0.9, 0.95, 1].map((rate) => ({ cases, rate }))))(
    'the interval of $cases cases with one trial at $rate covers it with a probability of 0.95 or more',
    ({ cases, rate }) => {
      // P(k passed) for k = 0, 1, …, by its recurrence; at 1 all pass.
      let probability = rate === 1 ? 0 : (1 - rate) ** cases;
      let covered = 0;
      for (let passed = 0; passed <= cases; passed += 1) {
        if (rate === 1 && passed === cases) probability = 1;
        const [low, high] = boundedMeanInterval(ones(passed, cases)) ?? [2, -1];
        if (low <= rate && rate <= high) covered += probability;
        if (rate < 1) probability *= ((cases - passed) / (passed + 1)) * (rate / (1 - rate));
      }
      expect(covered).toBeGreaterThanOrEqual(0.95);
    },
  );
});

describe('the intervals of a scorecard', () => {
  const caseOf = (trials: number, successes: number): CaseSummary => ({
    ...{ case_key: 'c', trials, successes, overall: successes / trials, dimensions: {}, raw: {} },
  });

  test('the pass rate and the overall score of the same values have the same interval', () => {
    const cases = [caseOf(5, 5), caseOf(5, 4), caseOf(5, 1), caseOf(5, 5)];
    const { interval } = passRate(cases);
    expect(estimateScore(cases.map(({ overall }) => overall ?? 0)).interval).toEqual(interval);
  });

  test('neither name of an interval leaves 0..1 or is a point, with repetitions or without', () => {
    const estimates = [
      passRate([caseOf(5, 5), caseOf(5, 5), caseOf(5, 0)]),
      passRate([
        caseOf(3, 3),
        caseOf(3, 3),
        caseOf(3, 3),
        caseOf(3, 3),
        caseOf(3, 3),
        caseOf(3, 3),
        caseOf(3, 3),
      ]),
      passRate([caseOf(1, 1), caseOf(1, 1)]),
      estimateScore([0.9, 0.9]),
      estimateScore([0, 1]),
    ];
    for (const { mean, ci, interval } of estimates) {
      for (const [low, high] of [ci ?? [2, -1], interval ?? [2, -1]]) {
        expect([low >= 0, high <= 1, high - low > 0.05]).toEqual([true, true, true]);
        expect([low <= (mean ?? -1), (mean ?? 2) <= high]).toEqual([true, true]);
      }
    }
  });
});

test('the interval is about as wide as the t interval where the t interval is valid', () => {
  const random = new Random(7);
  const values = Array.from({ length: 100 }, () => random.binomial(1, 0.5));
  const { ci } = estimateMean(values);
  const { interval } = estimateScore(values);
  const width = (ends: readonly [number, number] | null) => (ends === null ? 0 : ends[1] - ends[0]);
  expect(width(interval)).toBeLessThan(1.1 * width(ci));
});
