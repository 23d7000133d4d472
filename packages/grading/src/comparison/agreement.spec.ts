import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CaseSummary } from '../aggregate/types.js';
import { Random } from '../testing/random.js';
import { side } from '../testing/trials.js';
import { compareRunAgents } from './compare.js';
import { type Pair, pairedTest } from './paired-test.js';
import type { ComparisonSide, MeasureComparison } from './types.js';
import { compareVariants } from './variants.js';

/** Passed trials of 20 to 60 cases on two or three sides; half of the time a single trial each. */
const outcomes = fc
  .record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    cases: fc.integer({ min: 2, max: 60 }),
    trials: fc.constantFrom(1, 1, 3),
    lift: fc.constantFrom(0, 0.1, 0.2, 0.3, 0.6),
    sides: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ seed, cases, trials, lift, sides }) => {
    const random = new Random(seed);
    const counts = (rate: number) =>
      Object.fromEntries(
        Array.from({ length: cases }, (_, index): [string, [number, number]] => [
          `c${index}`,
          [random.binomial(trials, rate), trials],
        ]),
      );
    const baseline = side('baseline', counts(0.3));
    return {
      baseline,
      candidates: Array.from({ length: sides }, (_, at) => side(`${at}`, counts(0.3 + lift))),
    };
  });

/** One trial per case, with a score of its own and two dimensions. */
function gradedSide(id: string, lift: number) {
  return (random: Random, cases: number): ComparisonSide => {
    const whole = side(id, {});
    const score = () => Math.min(1, random.beta(0.6, 4) + lift);
    const summaries = Array.from({ length: cases }, (_, at): CaseSummary => {
      const dimensions = { correctness: score(), tone: Number(random.uniform() < 0.7) };
      const successes = Number(dimensions.correctness > 0.5);
      return { case_key: `c${at}`, overall: score(), trials: 1, successes, dimensions, raw: {} };
    });
    const empty = { n: 0, mean: null, sd: null, se: null, ci: null, interval: null, raw: null };
    const dimensions = { correctness: empty, tone: empty };
    return { ...whole, scorecard: whole.scorecard && { ...whole.scorecard, cases: summaries, dimensions } };
  };
}

type Compared = Pick<
  MeasureComparison,
  'mean_difference' | 'interval' | 'interval_adjusted' | 'p' | 'p_adjusted'
>;

function expectAgreement({ mean_difference, interval, interval_adjusted, p, p_adjusted }: Compared): void {
  const mean = mean_difference ?? 0;
  for (const [ends, probability] of [
    [interval, p],
    [interval_adjusted, p_adjusted],
  ] as const) {
    if (ends === null || probability === null) throw new Error('no interval');
    const [low, high] = ends;
    expect([low >= -1, low <= mean, mean <= high, high <= 1, low < high]).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    // An end at 0 is no part of the interval of a significant difference.
    const sides = [low >= 0 && high > 0, high <= 0 && low < 0];
    if (probability >= 0.05) expect([low <= 0, high >= 0]).toEqual([true, true]);
    else expect(sides).toEqual([mean > 0, mean < 0]);
  }
  expect(interval_adjusted?.[0]).toBeLessThanOrEqual((interval?.[0] ?? -2) + 1e-12);
  expect(interval_adjusted?.[1]).toBeGreaterThanOrEqual((interval?.[1] ?? 2) - 1e-12);
}

describe('interval, p value and verdict of a comparison', () => {
  test('the unadjusted interval agrees with p, the adjusted one with p_adjusted and the verdict', () => {
    fc.assert(
      fc.property(outcomes, ({ baseline, candidates }) => {
        const compared = compareRunAgents(candidates.map((candidate) => ({ baseline, candidate })));
        for (const { pass } of compared) {
          expectAgreement(pass);
          const [low = 0, high = 0] = pass.interval_adjusted ?? [];
          const verdicts = { better: low >= 0, worse: high <= 0, inconclusive: low <= 0 && high >= 0 };
          expect(verdicts[pass.verdict]).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('interval, p and verdict of every measure agree, graded scores and several dimensions included', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.integer({ min: 2, max: 40 }),
        fc.constantFrom(0, 0.05, 0.2),
        (seed, cases, lift) => {
          const random = new Random(seed);
          const [baseline, candidate] = [gradedSide('baseline', 0), gradedSide('candidate', lift)].map(
            (make) => make(random, cases),
          );
          if (baseline === undefined || candidate === undefined) throw new Error('no sides');
          const [compared] = compareRunAgents([{ baseline, candidate }]);
          const measures = compared && [
            compared.overall,
            compared.pass,
            ...Object.values(compared.dimensions),
          ];
          expect(measures).toHaveLength(4);
          for (const measure of measures ?? []) {
            expectAgreement(measure);
            const [low = 0, high = 0] = measure.interval_adjusted ?? [];
            const verdicts = { better: low >= 0, worse: high <= 0, inconclusive: low <= 0 && high >= 0 };
            expect(verdicts[measure.verdict]).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('the figures of variants agree in the same way', () => {
    fc.assert(
      fc.property(outcomes, ({ baseline, candidates }) => {
        const lanes = [baseline, ...candidates].flatMap(({ run_agent_id, scorecard }) =>
          scorecard === null
            ? []
            : [
                {
                  ...{ run_agent_id, scorecard },
                  variant: { deployment: 'd', name: run_agent_id, baseline: 'baseline' },
                },
              ],
        );
        for (const { difference, ...variant } of compareVariants(lanes)) {
          expectAgreement({ ...variant, mean_difference: difference });
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a constant shift of graded scores is on one side of 0 as its verdict is, and has a width', () => {
    const shifted = Array.from({ length: 10 }, (): Pair => [0.5, 0.6]);
    const { interval, p, verdict } = pairedTest(shifted, { binary: false, detect: 0.05 });
    expect({ p, verdict }).toEqual({ p: 2 ** -9, verdict: 'better' });
    expect(interval?.[0]).toBe(0);
    expect(interval?.[1]).toBeGreaterThan(0.3);
  });

  test('a significant exact test of few discordant cases does not have an interval on both sides of 0', () => {
    const pairs = Array.from({ length: 100 }, (_, index): Pair => [0, index < 6 ? 1 : 0]);
    const { interval, p } = pairedTest(pairs, { binary: true, detect: 0.05 });
    expect(p).toBeCloseTo(2 ** -5, 9);
    expect(interval?.[0]).toBe(0);
  });

  test.each([
    { cases: 10, gained: 0.1, lost: 0.1 },
    { cases: 20, gained: 0.2, lost: 0.05 },
    { cases: 20, gained: 0.05, lost: 0.05 },
    { cases: 100, gained: 0.15, lost: 0.05 },
    { cases: 100, gained: 0.04, lost: 0 },
    { cases: 100, gained: 0.3, lost: 0.3 },
  ])('the interval of $cases cases holds the difference of $gained gained and $lost lost', (given) => {
    const { cases, gained, lost } = given;
    const random = new Random(11);
    let covered = 0;
    for (let run = 0; run < 1_000; run += 1) {
      const pairs = Array.from({ length: cases }, (): Pair => {
        const drawn = random.uniform();
        if (drawn < gained) return [0, 1];
        return drawn < gained + lost ? [1, 0] : [0, 0];
      });
      const [low, high] = pairedTest(pairs, { binary: true, detect: 0.05 }).interval ?? [2, -2];
      if (low <= gained - lost + 1e-12 && gained - lost <= high + 1e-12) covered += 1;
    }
    expect(covered / 1_000).toBeGreaterThanOrEqual(0.94);
  });
});
