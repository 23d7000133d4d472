import { describe, expect, test } from '@jest/globals';
import { failure } from '../testing/vectors/failures.js';
import { classifyFailure, failureClusterKey } from './classify.js';

const WRONG = { key: 'result', type: 'exact_match', outcome: 'agent_fail', reason: 'not_equal' } as const;

describe('failure classes', () => {
  test.each([
    ['dependencies.numpy', 'dependency_resolution_failure'],
    ['my.dependencies.numpy', 'incorrect_final_output'],
    ['Hallucinated_Package', 'dependency_resolution_failure'],
    ['retrieval-of-facts', 'retrieval_grounding_failure'],
    ['wrong_tool', 'tool_selection_error'],
  ])('a failing key %s has the class %s', (key, name) => {
    expect(classifyFailure(failure({ validators: [{ ...WRONG, key }] })).class).toBe(name);
  });

  test('a failing tool validator has the class of a wrong tool', () => {
    const validators = [{ ...WRONG, type: 'trajectory_match', reason: 'trajectory_mismatch' }];
    expect(classifyFailure(failure({ validators })).class).toBe('tool_selection_error');
  });

  test('a flaky attempt is not attributed to the agent', () => {
    expect(classifyFailure(failure({ validators: [WRONG], flaked: true }))).toMatchObject({
      class: 'flaky_non_deterministic',
      agent_fault: false,
    });
  });

  test('an infra error outside the sandbox is due to the platform', () => {
    const attempt = { outcome: 'infra_error', error_code: 'storage_unavailable' } as const;
    expect(classifyFailure(failure({ attempt })).class).toBe('platform_failure');
  });

  test('a judge without a score is an evaluation failure, unless something failed', () => {
    const judges = [{ key: 'tone', failing: false, scored: false }];
    expect(classifyFailure(failure({ judges })).class).toBe('evaluation_fault');
    expect(classifyFailure(failure({ judges, validators: [WRONG] })).class).toBe('incorrect_final_output');
  });

  test('an evaluation failure names the validators and judges that could not grade', () => {
    const broken = { ...WRONG, key: 'queue', outcome: 'pack_error', reason: 'invalid_expected' } as const;
    const judges = [{ key: 'tone', failing: false, scored: false }];
    expect(classifyFailure(failure({ validators: [broken], judges }))).toMatchObject({
      class: 'evaluation_fault',
      failing_keys: ['queue', 'tone'],
    });
  });

  test('evidence that was not collected gives no verdict', () => {
    const validators = [{ ...WRONG, outcome: 'evidence_missing', reason: 'not_collected' } as const];
    expect(classifyFailure(failure({ validators }))).toMatchObject({
      class: 'insufficient_evidence',
      severity: 'info',
    });
  });
});

describe('the cluster of a failure', () => {
  test('the cluster of a failure names pack, case, class and failing keys, in any order of the keys', () => {
    const first = classifyFailure(failure({ validators: [WRONG, { ...WRONG, key: 'b' }] }));
    const second = classifyFailure(failure({ validators: [{ ...WRONG, key: 'b' }, WRONG] }));
    const cluster = failureClusterKey('support', 'c1', first);
    expect(cluster).toMatch(/^frc_[0-9a-f]{64}$/);
    expect(failureClusterKey('support', 'c1', second)).toBe(cluster);
    expect(failureClusterKey('support', 'c2', first)).not.toBe(cluster);
  });
});
