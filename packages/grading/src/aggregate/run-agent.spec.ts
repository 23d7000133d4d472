import { readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AttemptEvidence } from '../evidence/types.js';
import { composeScorecard } from '../scorecard/compose-scorecard.js';
import type { Scorecard } from '../scorecard/types.js';
import type { ValidatorResult } from '../validators/result.js';
import { drawsReported } from './aggregate.js';
import { trialOf } from './cases.js';
import { aggregateRunAgent, MISSING_CASES_MAX, missingAttempts } from './run-agent.js';

const SPEC = readEvaluationSpec({
  name: 'support',
  version_number: 1,
  judge_mode: 'deterministic',
  validators: [{ key: 'result', type: 'exact_match', target: 'final_output', expected_from: 'literal:42' }],
  scorecard: {
    dimensions: [
      { key: 'correctness', gate: true, pass_threshold: 0.5 },
      { key: 'latency', source: 'latency', normalization: { target: 0, max: 1_000 } },
    ],
  },
});

function resultWith(score: number | null): ValidatorResult {
  const scored = score !== null;
  return {
    key: 'result',
    type: 'exact_match',
    state: scored ? 'scored' : 'unavailable',
    verdict: scored ? (score >= 0.5 ? 'pass' : 'fail') : null,
    score,
    reason: null,
    outcome: scored ? 'agent_pass' : 'evidence_missing',
    evidence: null,
  };
}

function scorecard(score: number | null, changes: Partial<Scorecard> = {}): Scorecard {
  const evidence: AttemptEvidence = {
    attempt: { outcome: 'completed' },
    case: {},
    events: [
      {
        sequence_number: 1,
        event_type: 'system.run.completed',
        occurred_at: '2026-01-01T00:00:00.000Z',
        payload: { latency_ms: 250 },
      },
    ],
  };
  return { ...composeScorecard(SPEC, evidence, { validators: [resultWith(score)], judges: [] }), ...changes };
}

function aggregate(scores: (number | null)[], planned = scores.length) {
  const attempts = scores.map((score, index) => ({
    case_key: `case-${index}`,
    repetition: 1,
    scorecard: scorecard(score),
  }));
  return aggregateRunAgent(SPEC, { attempts, planned_attempts: planned, repetitions: 1 });
}

describe('a run agent', () => {
  test('a run agent keeps per case the figures that a comparison pairs, raw values included', () => {
    const { cases, dimensions } = aggregate([1]);
    expect(cases).toEqual([
      {
        case_key: 'case-0',
        overall: 0.875,
        trials: 1,
        successes: 1,
        dimensions: { correctness: 1, latency: 0.75 },
        raw: { latency: { value: 250, unit: 'ms' } },
      },
    ]);
    expect(dimensions.latency).toMatchObject({ mean: 0.75, raw: { value: 250, unit: 'ms' } });
  });

  test('a gate that failed once fails the run agent, and an unavailable one leaves it unproven', () => {
    expect(aggregate([1, 0, null])).toMatchObject({ passed: false, reason: 'gate_failed' });
    expect(aggregate([1, null])).toMatchObject({ passed: false, reason: 'gate_unavailable' });
    expect(aggregate([1, 1])).toMatchObject({ passed: true, reason: 'gates_hold' });
  });

  test('missing attempts degrade the run agent', () => {
    expect(aggregate([1], 4)).toMatchObject({
      validity: 'degraded',
      missing_share: 0.75,
      usable_attempts: 1,
    });
  });

  test('a run agent lists every incident with its case and fails by one', () => {
    const incident = { kind: 'forbidden_output', name: 'card', severity: 'high', evidence: null } as const;
    const leaky = scorecard(1, { security: { passed: false, incidents: [incident] } });
    const attempts = [{ case_key: 'c1', repetition: 2, scorecard: leaky }];
    expect(aggregateRunAgent(SPEC, { attempts, planned_attempts: 1, repetitions: 2 })).toMatchObject({
      passed: false,
      reason: 'security_incident',
      security: { passed: false, incidents: [{ ...incident, case_key: 'c1', repetition: 2 }] },
    });
  });

  test('the scorecard of a run agent does not depend on the order in which its attempts were scored', () => {
    const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), score)), (rows) => {
        const attempts = rows.map(([case_key, value], index) => ({
          case_key,
          repetition: index + 1,
          scorecard: scorecard(value),
        }));
        const input = { planned_attempts: rows.length, repetitions: 3 };
        const forth = aggregateRunAgent(SPEC, { ...input, attempts });
        expect(aggregateRunAgent(SPEC, { ...input, attempts: [...attempts].reverse() })).toEqual(forth);
      }),
      { examples: [[rowsOfOneCase(0.1, 0.2, 0.3)]] },
    );
  });

  test('pass@k is reported for the usual k and the repetitions', () => {
    expect(drawsReported(7)).toEqual([1, 2, 3, 5, 7, 10]);
    expect(drawsReported(5)).toEqual([1, 2, 3, 5, 10]);
  });
});

/** 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are different doubles. */
function rowsOfOneCase(...scores: number[]): ['a', number][] {
  return scores.map((score) => ['a', score]);
}

describe('a trial', () => {
  const attempt = {
    case_key: 'c',
    overall: 0.5,
    validity: 'degraded',
    dimensions: {},
    raw: {},
    passed: false,
  } as const;

  test('a trial is missing when only an unavailable gate failed it', () => {
    const gates = { safety: null, tone: true };
    expect(trialOf({ ...attempt, gates, reason: 'gate_unavailable' }, 'weighted')).toBeNull();
    const binary = { ...attempt, overall: null, gates: {}, reason: 'dimension_unavailable' } as const;
    expect(trialOf(binary, 'binary')).toBeNull();
  });

  test('a trial is a failure when another measure was also below its threshold', () => {
    const gates = { safety: null, tone: false };
    expect(trialOf({ ...attempt, gates, reason: 'gate_unavailable' }, 'weighted')).toBe(0);
    const hybrid = { ...attempt, overall: 0, gates, reason: 'gate_unavailable' } as const;
    expect(trialOf(hybrid, 'hybrid')).toBe(0);
  });
});

describe('attempts without a usable scorecard', () => {
  test('missing attempts are named by case and reason, most frequent first, and those never scored by number', () => {
    const missing = [
      { case_key: 'b', reason: 'provider_timeout' },
      { case_key: 'a', reason: 'pack_error' },
      { case_key: 'b', reason: 'provider_timeout' },
    ];
    expect(missingAttempts(missing, { planned: 10, usable: 6 })).toEqual({
      attempts: 4,
      reasons: [
        { reason: 'provider_timeout', attempts: 2 },
        { reason: 'not_scored', attempts: 1 },
        { reason: 'pack_error', attempts: 1 },
      ],
      cases: [
        { case_key: 'b', reason: 'provider_timeout', attempts: 2 },
        { case_key: 'a', reason: 'pack_error', attempts: 1 },
      ],
    });
    expect(missingAttempts([], { planned: 6, usable: 6 })).toBeUndefined();
  });

  test('missing attempts are counted in full, and in any order, however many cases there are', () => {
    const attempt = fc.record({
      case_key: fc.string({ maxLength: 3 }),
      reason: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 200 }), fc.nat(9), (missing, usable) => {
        const counts = { planned: missing.length + usable, usable };
        const found = missingAttempts(missing, counts);
        expect(found).toEqual(missingAttempts(missing.toReversed(), counts));
        expect(found?.attempts).toBe(missing.length);
        expect(found?.reasons.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(missing.length);
        expect(found?.cases.length).toBeLessThanOrEqual(MISSING_CASES_MAX);
      }),
    );
  });
});
