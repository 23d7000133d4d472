import { describe, expect, test } from '@jest/globals';
import { aggregateAttempts } from '../aggregate/aggregate.js';
import type { RunAgentScorecard } from '../aggregate/types.js';
import { compareRunAgents } from '../comparison/compare.js';
import { evaluateGate } from './evaluate.js';
import { gateEvidence } from './evidence.js';
import { BUILT_IN_POLICY, completePolicy, fillPolicy, gatePolicyFingerprint } from './policy.js';
import type { GateDimension, GateEvidence, GateSide } from './types.js';

const SOUND: GateSide = { validity: 'valid', passed: true, status: 'completed', missing_share: 0 };
const EQUAL: GateDimension = {
  ...{ state: 'available', delta: 0, se: 0, n: 60, verdict: 'inconclusive', tests: 1 },
  detectable: 0.125,
};

function evidence(dimensions: GateEvidence['dimensions']): GateEvidence {
  return { comparable: true, cases: 60, candidate: SOUND, baseline: SOUND, dimensions };
}

function perfect(n: number): RunAgentScorecard {
  return aggregateAttempts({
    ...{ strategy: 'weighted', pass_threshold: 1, dimensions: ['correctness'], gates: [], draws: [1] },
    planned_attempts: n,
    attempts: Array.from({ length: n }, (_, index) => ({
      ...{ case_key: `c${index}`, overall: 1, passed: true, reason: 'threshold_met', validity: 'valid' },
      ...{ gates: {}, dimensions: { correctness: 1 }, raw: {} },
    })),
  });
}

describe('the built-in gate policy', () => {
  test('the built-in policy passes 60 equal cases of correctness alone, and names the detectable loss', () => {
    expect(evaluateGate(BUILT_IN_POLICY, evidence({ correctness: EQUAL }))).toEqual({
      verdict: 'pass',
      reasons: ['within_thresholds'],
      exit_code: 0,
      notes: [
        'dimension_unavailable:reliability',
        'dimension_unavailable:latency',
        'dimension_unavailable:cost',
      ],
      detectable: { correctness: 0.125 },
    });
  });

  test.each([
    [2, 'insufficient_evidence', ['too_few_cases_to_test:correctness']],
    [60, 'pass', ['within_thresholds']],
  ])('the built-in policy decides on %d perfect cases on both sides: %s', (n, verdict, reasons) => {
    const scorecard = perfect(n);
    const ids = { challenge_pack_version_id: 'v', challenge_input_set_id: 's', evaluation_spec_id: 'e' };
    const side = (run_agent_id: string) => ({ run_agent_id, ...ids, scorecard });
    const [comparison] = compareRunAgents([{ baseline: side('a'), candidate: side('b') }]);
    if (comparison === undefined) throw new Error('nothing was compared');
    const subject = { scorecard, completed_attempts: n, selective_retry: false };
    const found = gateEvidence(comparison, { baseline: subject, candidate: subject });
    expect(evaluateGate(BUILT_IN_POLICY, found)).toMatchObject({ verdict, reasons });
  });

  test('the built-in policy compares every dimension that both sides have, whatever its name is', () => {
    const tone: GateDimension = { ...EQUAL, delta: -0.2, verdict: 'worse' };
    const lacking: GateDimension = { ...EQUAL, state: 'unavailable', delta: null, n: 0 };
    const decided = evaluateGate(BUILT_IN_POLICY, evidence({ tone, style: lacking }));
    expect(decided).toMatchObject({
      verdict: 'fail',
      reasons: ['regression_fail:tone'],
      detectable: { tone: 0.125 },
    });
  });

  test('a loss that is not significant passes, however large', () => {
    const decided = evaluateGate(
      BUILT_IN_POLICY,
      evidence({ correctness: { ...EQUAL, delta: -0.3, se: 0.2 } }),
    );
    expect(decided.verdict).toBe('pass');
  });

  test('the built-in policy decides nothing without a dimension that both sides have', () => {
    expect(evaluateGate(BUILT_IN_POLICY, evidence({}))).toMatchObject({
      verdict: 'insufficient_evidence',
      reasons: ['nothing_compared'],
      exit_code: 3,
    });
  });

  test('a policy without comparisons compares as the built-in one, and one with comparisons is not changed', () => {
    expect(completePolicy({ name: 'strict', require_pass: true })).toEqual({
      ...BUILT_IN_POLICY,
      name: 'strict',
      require_pass: true,
    });
    const comparisons = { correctness: { max_regression: { warn: 0.02, fail: 0.05 } } };
    const own = completePolicy({ name: 'own', comparisons });
    expect(own).toEqual(fillPolicy({ name: 'own', comparisons }));
    expect(gatePolicyFingerprint(own)).toBe(gatePolicyFingerprint(fillPolicy({ name: 'own', comparisons })));
    expect(own.comparisons.correctness?.mode).toBe('point');
  });
});
