import type { GateMode } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { evaluateGate } from './evaluate.js';
import { fillPolicy, gatePolicyFingerprint } from './policy.js';
import type { GateDimension, GateEvidence, GateSide } from './types.js';

const SOUND: GateSide = { validity: 'valid', passed: true, status: 'completed', missing_share: 0 };

function evidence(changes: Partial<GateEvidence>, correctness: Partial<GateDimension> = {}): GateEvidence {
  const held: GateDimension = { state: 'available', delta: 0, se: 0.01, n: 40, verdict: 'inconclusive' };
  return {
    comparable: true,
    cases: 40,
    candidate: SOUND,
    baseline: SOUND,
    dimensions: { correctness: { ...held, ...correctness } },
    ...changes,
  };
}

function policy(mode: GateMode) {
  return fillPolicy({
    comparisons: { correctness: { max_regression: { warn: 0.02, fail: 0.05 }, mode } },
  });
}

describe('a gate', () => {
  test('a gate reports only that runs are not comparable, whatever other reasons there are', () => {
    const candidate: GateSide = { ...SOUND, validity: 'invalid' };
    expect(evaluateGate(policy('point'), evidence({ comparable: false, candidate }))).toEqual({
      verdict: 'insufficient_evidence',
      reasons: ['not_comparable'],
      exit_code: 3,
      notes: [],
      detectable: {},
    });
  });

  test('a gate lists every gap of the evidence, for both sides', () => {
    const side: GateSide = { ...SOUND, validity: 'invalid', missing_share: 0.5, selective_retry: true };
    const { reasons } = evaluateGate(
      policy('point'),
      evidence({ candidate: side, baseline: side, cases: 0 }),
    );
    expect(reasons).toEqual([
      'candidate_scorecard_invalid',
      'baseline_scorecard_invalid',
      'candidate_missing_share',
      'baseline_missing_share',
      'candidate_selective_retry',
      'baseline_selective_retry',
      'too_few_cases',
    ]);
  });

  test('a gate refuses a side that was served recorded replies of models, unless the policy allows it', () => {
    const candidate: GateSide = { ...SOUND, recorded_model_calls: true };
    for (const side of ['candidate', 'baseline'] as const) {
      expect(evaluateGate(policy('point'), evidence({ [side]: candidate }))).toMatchObject({
        verdict: 'insufficient_evidence',
        reasons: [`${side}_recorded_model_calls`],
      });
    }
    const allowing = fillPolicy({ ...policy('point'), allow_recorded_model_calls: true });
    expect(evaluateGate(allowing, evidence({ candidate, baseline: candidate })).verdict).toBe('pass');
    const refusing = fillPolicy({ ...policy('point'), allow_recorded_model_calls: false });
    expect(gatePolicyFingerprint(refusing)).toBe(gatePolicyFingerprint(policy('point')));
    expect(gatePolicyFingerprint(allowing)).not.toBe(gatePolicyFingerprint(refusing));
  });

  test('a gate refuses an imported run on either side, unless the policy warns or allows it', () => {
    const imported: GateSide = { ...SOUND, imported: true };
    const by = (imported_runs: 'refuse' | 'warn' | 'allow') =>
      fillPolicy({ ...policy('point'), imported_runs });
    for (const side of ['candidate', 'baseline'] as const) {
      const sides = evidence({ [side]: imported });
      const refused = { verdict: 'insufficient_evidence', reasons: [`${side}_imported`] };
      expect(evaluateGate(policy('point'), sides)).toMatchObject(refused);
      expect(evaluateGate(by('refuse'), sides)).toMatchObject(refused);
      expect(evaluateGate(by('warn'), sides)).toMatchObject({
        verdict: 'warn',
        reasons: [`${side}_imported`],
      });
      expect(evaluateGate(by('allow'), sides).verdict).toBe('pass');
    }
    expect(gatePolicyFingerprint(by('refuse'))).toBe(gatePolicyFingerprint(policy('point')));
    expect(gatePolicyFingerprint(by('warn'))).not.toBe(gatePolicyFingerprint(by('allow')));
  });

  test('a gate whose policy requires an audit decides nothing while the version lacks one', () => {
    const lacking = evidence({ audit_shortfall: 'audit_missing' });
    expect(evaluateGate(policy('point'), lacking)).toMatchObject({
      verdict: 'insufficient_evidence',
      reasons: ['audit_missing'],
      exit_code: 3,
    });
    const required = fillPolicy({ ...policy('point'), pack_audit: { required: true, min_strength: 0.8 } });
    expect(required.pack_audit).toEqual({ required: true, min_strength: 0.8 });
    expect(gatePolicyFingerprint(required)).not.toBe(gatePolicyFingerprint(policy('point')));
    const waived = fillPolicy({ ...policy('point'), pack_audit: { required: false } });
    expect(gatePolicyFingerprint(waived)).toBe(gatePolicyFingerprint(policy('point')));
  });

  test('a gate fails a candidate that completed nothing where the baseline did', () => {
    const candidate: GateSide = { ...SOUND, status: 'failed' };
    expect(evaluateGate(policy('point'), evidence({ candidate })).reasons).toEqual(['candidate_failed']);
    expect(evaluateGate(policy('point'), evidence({ candidate, baseline: candidate })).verdict).toBe('pass');
  });

  test('a gate fails a candidate that does not pass where a pass is required', () => {
    const strict = { ...policy('point'), require_pass: true };
    const result = evaluateGate(strict, evidence({ candidate: { ...SOUND, passed: false } }));
    expect(result).toMatchObject({ verdict: 'fail', reasons: ['not_passed'], exit_code: 1 });
  });

  test('a proven drop beyond the limit fails under significant', () => {
    const result = evaluateGate(policy('significant'), evidence({}, { delta: -0.08, verdict: 'worse' }));
    expect(result.reasons).toEqual(['regression_fail:correctness']);
  });

  test('a proven small drop warns under non_inferior, and a single case proves nothing', () => {
    const small = evaluateGate(policy('non_inferior'), evidence({}, { delta: -0.03, se: 0.001, n: 200 }));
    expect(small.reasons).toEqual(['regression_warn:correctness']);
    const single = evaluateGate(policy('non_inferior'), evidence({}, { n: 1, se: 0 }));
    expect(single.reasons).toEqual(['too_few_cases_to_test:correctness']);
  });
});

describe('a gate policy', () => {
  test('the fingerprint of a policy does not depend on its defaults or on the order of keys', () => {
    const short = fillPolicy({ min_cases: 5, comparisons: policy('point').comparisons });
    const long = fillPolicy({
      comparisons: { correctness: { mode: 'point', max_regression: { fail: 0.05, warn: 0.02 } } },
      max_missing_share: 0,
      require_pass: false,
      min_cases: 5,
    });
    expect(gatePolicyFingerprint(long)).toBe(gatePolicyFingerprint(short));
    expect(gatePolicyFingerprint(fillPolicy({}))).not.toBe(gatePolicyFingerprint(short));
  });
});
