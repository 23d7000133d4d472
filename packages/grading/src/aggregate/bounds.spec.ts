import { type JsonValue, readEvaluationSpec } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DimensionResult } from '../scorecard/types.js';
import { Random } from '../testing/random.js';
import type { AttemptSummary } from './attempt-facts.js';
import { aggregateRunAgent } from './run-agent.js';
import type { RunAgentScorecard, ScoredAttempt } from './types.js';

const specOf = (scorecard: Record<string, JsonValue>) =>
  readEvaluationSpec({
    ...{ name: 'bounds', version_number: 1, judge_mode: 'deterministic' },
    validators: [{ key: 'v', type: 'exact_match', target: 'final_output', expected_from: 'literal:x' }],
    scorecard,
  });
const SPECS = {
  weighted: specOf({ dimensions: ['correctness'], pass_threshold: 0.5 }),
  ungraded: specOf({ dimensions: ['correctness'] }),
  binary: specOf({ strategy: 'binary', dimensions: [{ key: 'correctness', pass_threshold: 0.5 }] }),
};

const runs = fc.record({
  seed: fc.nat(1_000_000),
  spec: fc.constantFrom(...(['weighted', 'ungraded', 'binary'] as const)),
  cases: fc.integer({ min: 1, max: 30 }),
  repetitions: fc.constantFrom(1, 1, 3),
  /** Equal data are as likely as mixed ones: they must not give a point. */
  rate: fc.constantFrom(0, 1, 0.05, 0.5, 0.95),
  isGraded: fc.boolean(),
  missing: fc.constantFrom(0, 0.2),
  /** The share of the cases that count; 1 for a run that was not stopped. */
  counted: fc.constantFrom(1, 1, 0.5, 0),
});

type Drawn = typeof runs extends fc.Arbitrary<infer T> ? T : never;

function scorecardOf({ spec, counted, ...drawn }: Drawn): RunAgentScorecard {
  const { cases, repetitions } = drawn;
  const order = Array.from({ length: cases }, (_, at) => `case-${at}`);
  const position = Math.floor(counted * cases);
  const isStopped = position < cases;
  const planned_attempts = (isStopped ? position : cases) * repetitions;
  return aggregateRunAgent(SPECS[spec], {
    ...{ attempts: attemptsOf(order, drawn), planned_attempts, repetitions },
    ...(isStopped && { stopped: { order, position } }),
  });
}

function attemptsOf(
  order: readonly string[],
  { seed, repetitions, rate, isGraded, missing }: Omit<Drawn, 'spec' | 'counted'>,
): ScoredAttempt[] {
  const random = new Random(seed);
  return order.flatMap((case_key) =>
    Array.from({ length: repetitions }, (_, index): ScoredAttempt => {
      if (random.uniform() < missing) return { case_key, repetition: index + 1, scorecard: null };
      const passed = random.uniform() < rate;
      const overall = isGraded ? Math.min(1, random.beta(0.9, 5)) : Number(passed);
      const dimension: DimensionResult = {
        ...{ key: 'correctness', source: 'validators', state: 'available', score: overall, reason: null },
        ...{
          raw: null,
          weight: 1,
          gate: false,
          pass_threshold: null,
          gate_passed: null,
          contribution: overall,
        },
      };
      const reason = passed ? 'threshold_met' : 'below_threshold';
      const scorecard: AttemptSummary = {
        overall,
        passed,
        reason,
        validity: 'valid',
        dimensions: [dimension],
      };
      return { case_key, repetition: index + 1, scorecard };
    }),
  );
}

test('no interval of a rate or a score leaves 0..1, excludes its mean or is a point, in any scorecard of a run agent', () => {
  fc.assert(
    fc.property(runs, (drawn) => {
      const { overall, pass_rate, dimensions, ...card } = scorecardOf(drawn);
      for (const { mean, interval, ci } of [overall, pass_rate, ...Object.values(dimensions)]) {
        for (const ends of [interval, ci]) {
          if (ends === null) continue;
          const [low, high] = ends;
          const center = mean ?? (low + high) / 2;
          expect([0 <= low, low <= center + 1e-12, center <= high + 1e-12, high <= 1, low < high]).toEqual(
            Array.from({ length: 5 }, () => true),
          );
        }
        if (mean !== null) expect(interval).not.toBeNull();
      }
      const shares = [
        card.missing_share,
        card.flake_rate,
        ...Object.values(card.pass_at_k).map(({ value }) => value),
      ];
      for (const share of [...shares, ...Object.values(card.pass_hat_k).map(({ value }) => value)]) {
        expect(share === null || (share >= 0 && share <= 1)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('seven of seven passes do not make an interval of [1, 1], whether all cases ran or the race stopped early', () => {
  const whole = {
    seed: 1,
    spec: 'weighted',
    cases: 7,
    repetitions: 1,
    rate: 1,
    isGraded: false,
    missing: 0,
  } as const;
  expect(scorecardOf({ ...whole, counted: 1 }).pass_rate.interval?.[0]).toBeCloseTo(0.59, 2);
  const [low = 1, high = 0] = scorecardOf({ ...whole, cases: 14, counted: 0.5 }).pass_rate.interval ?? [];
  expect([low < 1, high]).toEqual([true, 1]);
});
