import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aggregateAttempts } from '../aggregate/aggregate.js';
import { compareRunAgents } from './compare.js';
import type { Comparison, ComparisonSide } from './types.js';

type Scores = readonly (readonly [correctness: number, latency: number])[];

/** A run agent whose overall score is its correctness, as in a pack of that one dimension; latency is reported beside it. */
function side(id: string, scores: Scores, copies = 0): ComparisonSide {
  const attempts = scores.map(([correctness, latency], index) => ({
    case_key: `c${index}`,
    overall: correctness,
    passed: correctness >= 1,
    reason: 'threshold_met' as const,
    validity: 'valid' as const,
    gates: {},
    dimensions: { correctness, latency, ...copiesOf(correctness, copies) },
    raw: {},
  }));
  const scorecard = aggregateAttempts({
    strategy: 'weighted',
    pass_threshold: 1,
    dimensions: ['correctness', 'latency', ...Object.keys(copiesOf(0, copies))],
    gates: [],
    attempts,
    planned_attempts: attempts.length,
    draws: [1],
  });
  return {
    run_agent_id: id,
    challenge_pack_version_id: 'version',
    challenge_input_set_id: 'input-set',
    evaluation_spec_id: 'spec',
    scorecard,
  };
}

function copiesOf(value: number, count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`copy-${index}`, value]));
}

function compareOne(baseline: Scores, candidate: Scores, copies = 0): Comparison {
  const [comparison] = compareRunAgents([
    { baseline: side('a', baseline, copies), candidate: side('b', candidate, copies) },
  ]);
  if (comparison === undefined) throw new Error('nothing was compared');
  return comparison;
}

/** Six cases of 40 gained, one lost; latency the same on both sides. */
const BEFORE: Scores = Array.from({ length: 40 }, (_, index) => [index < 20 ? 1 : 0, 0.5]);
const AFTER: Scores = BEFORE.map(([correctness], index) => {
  if (index === 0) return [0, 0.5];
  return [index >= 20 && index < 30 ? 1 : correctness, 0.5];
});

describe('tests of the same differences are one hypothesis', () => {
  test('overall, pass and correctness of a pack of one dimension are counted once', () => {
    const { tests, overall, pass, dimensions } = compareOne(BEFORE, AFTER);
    // They, and latency.
    expect(tests).toBe(2);
    expect(overall.p_adjusted).toBeCloseTo(2 * (overall.p ?? 0), 12);
    expect([pass.p_adjusted, dimensions.correctness?.p_adjusted]).toEqual([
      overall.p_adjusted,
      overall.p_adjusted,
    ]);
    expect([overall, pass, dimensions.correctness].map((measure) => measure?.verdict)).toEqual([
      'better',
      'better',
      'better',
    ]);
  });

  test('copies of a dimension change no p value', () => {
    const alone = compareOne(BEFORE, AFTER);
    const copied = compareOne(BEFORE, AFTER, 7);
    expect(copied.tests).toBe(alone.tests);
    expect(copied.overall.p_adjusted).toBe(alone.overall.p_adjusted);
    expect(copied.dimensions['copy-6']?.p_adjusted).toBe(alone.overall.p_adjusted);
  });

  test('two pairs of agents are two hypotheses, even where their figures coincide', () => {
    const pair = { baseline: side('a', BEFORE), candidate: side('b', AFTER) };
    const comparisons = compareRunAgents([pair, pair]);
    expect(comparisons.map(({ tests }) => tests)).toEqual([4, 4]);
    expect(comparisons[0]?.overall.p_adjusted).toBeCloseTo(4 * (comparisons[0]?.overall.p ?? 0), 12);
  });

  test('a dimension that lacks a case is a hypothesis of its own', () => {
    const lacking = side('b', AFTER);
    const cases = lacking.scorecard?.cases.map((each, index) =>
      index === 39 ? { ...each, dimensions: { ...each.dimensions, correctness: null } } : each,
    );
    const scorecard = lacking.scorecard && { ...lacking.scorecard, cases: cases ?? [] };
    const [comparison] = compareRunAgents([
      { baseline: side('a', BEFORE), candidate: { ...lacking, scorecard } },
    ]);
    expect(comparison?.tests).toBe(3);
  });

  test('overall scores of 0 and 1 have the p value of passing, and no two equal measures contradict', () => {
    const bit = fc.constantFrom(0, 1);
    const cases = fc.array(fc.tuple(bit, bit), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(cases, (pairs) => {
        const { overall, pass, dimensions } = compareOne(
          pairs.map(([before]) => [before, 0.5]),
          pairs.map(([, after]) => [after, 0.5]),
        );
        expect(overall.method).toBe('mcnemar_exact');
        for (const measure of [pass, dimensions.correctness]) {
          expect(measure).toMatchObject({
            p: overall.p,
            p_adjusted: overall.p_adjusted,
            verdict: overall.verdict,
          });
        }
      }),
    );
  });

  test('a comparison with 12 lost and 1 gained of 46 cases has one p value, not two', () => {
    const before: Scores = Array.from({ length: 46 }, (_, index) => [
      index < 12 ? 1 : index === 12 ? 0 : 1,
      0.5,
    ]);
    const after: Scores = Array.from({ length: 46 }, (_, index) => [index < 12 ? 0 : 1, 0.5]);
    const { overall, pass } = compareOne(before, after);
    expect(overall.p).toBeCloseTo(0.003417969, 9);
    expect(pass.p).toBe(overall.p);
  });
});

describe('what no case showed is not proof', () => {
  test('equal scores of 60 cases leave the loss that 60 cases cannot exclude', () => {
    const same: Scores = Array.from({ length: 60 }, () => [1, 0.5]);
    const { overall } = compareOne(same, same);
    expect(overall).toMatchObject({ mean_difference: 0, verdict: 'inconclusive', negligible: true });
    expect(overall.interval?.[0]).toBeCloseTo(0.025 ** (1 / 60) - 1, 9);
    expect(overall.interval?.[1]).toBeCloseTo(1 - 0.025 ** (1 / 60), 9);
    expect(overall.detectable).toBeGreaterThan(0.1);
  });

  test.each([3, 20, 58])('equal scores of %d cases do not show that nothing changed', (n) => {
    const same: Scores = Array.from({ length: n }, () => [1, 0.5]);
    expect(compareOne(same, same).overall.negligible).toBe(false);
  });

  test('the interval of a difference never leaves −1..1', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 12 }), (pairs) => {
        const { overall } = compareOne(
          pairs.map(([before]) => [before, 0.5]),
          pairs.map(([, after]) => [after, 0.5]),
        );
        const [low, high] = overall.interval ?? [-2, 2];
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});
