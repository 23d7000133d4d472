import { describe, expect, test } from '@jest/globals';
import { Random } from '../testing/random.js';
import { type Counts, scorecardOf } from '../testing/trials.js';
import { compareVariants, type VariantComparison, type VariantLane } from './variants.js';

const lane = (name: string, counts: Counts, deployment = 'coder'): VariantLane => ({
  run_agent_id: `${deployment} ${name}`,
  variant: { deployment, name, baseline: 'bare' },
  scorecard: scorecardOf(counts),
});

/** Successes of five repetitions, case by case. */
const fives = (...successes: number[]): Counts =>
  Object.fromEntries(successes.map((count, index) => [`case ${index}`, [count, 5]]));

const REPETITIONS = 5;

/** A race of a baseline with variants whose chance to pass is higher by a known number of points in every case. */
function race(random: Random, { cases, lifts }: { cases: number; lifts: Record<string, number> }) {
  const rates = Array.from({ length: cases }, () => 0.1 + 0.7 * random.uniform());
  const counts = (lift: number): Counts =>
    Object.fromEntries(
      rates.map((rate, index) => [
        `case ${index}`,
        [random.binomial(REPETITIONS, rate + lift / 100), REPETITIONS],
      ]),
    );
  const lanes = [
    lane('bare', counts(0)),
    ...Object.entries(lifts).map(([name, lift]) => lane(name, counts(lift))),
  ];
  return Object.fromEntries(compareVariants(lanes).map(({ variant, verdict }) => [variant, verdict]));
}

/** How many of 200 seeded races came to each verdict, by variant. */
function verdictsOf200(cases: number, lifts: Record<string, number>, seed = 2026) {
  const random = new Random(seed);
  const found: Record<string, Record<string, number>> = {};
  for (let n = 0; n < 200; n += 1) {
    for (const [variant, verdict] of Object.entries(race(random, { cases, lifts }))) {
      const counted = found[variant] ?? { helps: 0, harms: 0, no_difference_shown: 0 };
      found[variant] = { ...counted, [verdict]: (counted[verdict] ?? 0) + 1 };
    }
  }
  return found;
}

describe('Verdicts of variants', () => {
  test('A lift of 0 and one of +20 points are recognised in 95 % of 200 races of 40 cases with 5 repetitions', () => {
    const { same, up, down } = verdictsOf200(40, { same: 0, up: 20, down: -10 });
    expect(same?.no_difference_shown).toBeGreaterThanOrEqual(190);
    expect(up?.helps).toBeGreaterThanOrEqual(190);
    expect(up?.harms).toBe(0);
    // 40 cases have about half the power for −10 points, whatever the test: no verdict is wrong, many are open.
    expect(down?.helps).toBe(0);
    expect(down?.harms).toBeGreaterThanOrEqual(80);
  });

  test('A lift of −10 points is recognised in 95 % of 200 races of 140 cases with 5 repetitions', () => {
    const { down, same } = verdictsOf200(140, { same: 0, down: -10 });
    expect(down?.harms).toBeGreaterThanOrEqual(190);
    expect(same?.no_difference_shown).toBeGreaterThanOrEqual(190);
  });

  test('A variant that passes more cases helps, one that passes fewer harms, each with its difference', () => {
    const bare = fives(...Array.from({ length: 30 }, (_, n) => n % 3));
    const more = fives(...Array.from({ length: 30 }, (_, n) => (n % 3) + 2));
    const [helps] = compareVariants([lane('bare', bare), lane('more', more)]);
    expect(helps).toMatchObject({
      ...{ verdict: 'helps', measure: 'pass', deployment: 'coder', variant: 'more', baseline: 'bare' },
      ...{ cases: 30, tests: 1, more_cases: null, run_agent_id: 'coder more' },
      baseline_run_agent_id: 'coder bare',
    });
    expect(helps?.difference).toBeCloseTo(0.4, 10);
    const swapped = compareVariants([lane('bare', more), lane('less', bare)]);
    expect(swapped).toMatchObject([{ verdict: 'harms' }]);
  });

  test('Where no difference is shown the number of further cases is that of 5 points at the corrected level', () => {
    const bare = fives(1, 4, 2, 3, 5, 0, 2, 4);
    const other = fives(3, 2, 4, 1, 3, 2, 4, 2);
    const [alone] = compareVariants([lane('bare', bare), lane('a', other)]);
    expect(alone).toMatchObject({ verdict: 'no_difference_shown', detect: 0.05, negligible: false });
    // ((1.960 + 0.842) · 0.428 / 0.05)² = 574.1, of which 8 are there
    expect(alone?.more_cases).toBe(567);
    const [, , third] = compareVariants([
      lane('bare', bare),
      ...['a', 'b', 'c'].map((name) => lane(name, other)),
    ]);
    expect(third?.tests).toBe(3);
    expect(third?.more_cases).toBeGreaterThan(alone?.more_cases ?? Infinity);
  });

  test('Too few cases to show anything need those that can show something', () => {
    const [two] = compareVariants([lane('bare', fives(0, 0)), lane('a', fives(5, 5))]);
    expect(two).toMatchObject({ verdict: 'no_difference_shown', more_cases: 4 });
    const [one] = compareVariants([lane('bare', fives(0)), lane('a', fives(5))]);
    expect(one).toMatchObject({ verdict: 'no_difference_shown', p: null, more_cases: null, tests: 0 });
  });

  test('Equal results of few cases state no number of further cases: their spread is unknown', () => {
    const [equal] = compareVariants([lane('bare', fives(3, 5)), lane('a', fives(3, 5))]);
    expect(equal).toMatchObject({ verdict: 'no_difference_shown', difference: 0, more_cases: null });
  });

  test('A family of many variants needs more evidence for each of them', () => {
    const bare = fives(...Array.from({ length: 12 }, () => 1));
    const better = fives(...Array.from({ length: 12 }, (_, n) => (n < 9 ? 3 : 0)));
    const [alone] = compareVariants([lane('bare', bare), lane('a', better)]);
    const family = compareVariants([
      lane('bare', bare),
      ...Array.from({ length: 9 }, (_, n) => lane(`v${n}`, better)),
    ]);
    expect(alone?.verdict).toBe('helps');
    expect(family[0]?.verdict).toBe('no_difference_shown');
    expect(family[0]?.p).toBe(alone?.p);
  });

  test('Verdicts do not depend on the order of lanes and cases', () => {
    const random = new Random(7);
    for (let n = 0; n < 20; n += 1) {
      const counts = () => fives(...Array.from({ length: 15 }, () => random.binomial(5, random.uniform())));
      const lanes = ['bare', 'a', 'b', 'c'].map((name) => lane(name, counts()));
      const reversed = lanes.toReversed().map(({ scorecard, ...each }) => ({
        ...each,
        scorecard: { ...scorecard, cases: scorecard.cases.toReversed() },
      }));
      const byName = (found: readonly VariantComparison[]) =>
        Object.fromEntries(found.map(({ variant, verdict, more_cases }) => [variant, [verdict, more_cases]]));
      expect(byName(compareVariants(reversed))).toEqual(byName(compareVariants(lanes)));
    }
  });

  test('Each deployment is compared with its own baseline, and without one with nothing', () => {
    const counts = fives(1, 2, 3);
    const found = compareVariants([
      lane('bare', counts, 'one'),
      lane('a', counts, 'one'),
      lane('a', counts, 'two'),
      lane('bare', counts, 'three'),
    ]);
    expect(
      found.map(({ run_agent_id, baseline_run_agent_id }) => [run_agent_id, baseline_run_agent_id]),
    ).toEqual([['one a', 'one bare']]);
  });
});
