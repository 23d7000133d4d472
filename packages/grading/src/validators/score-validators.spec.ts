import { readEvaluationSpec } from '@agentclash/challengepack';
import type { Outcome } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { evidenceOf, judge, specOf } from '../testing/judge.js';
import { scoreValidators } from './score-validators.js';

describe('what others failed to do is missing data', () => {
  test.each<[Outcome, string]>([
    ['infra_error', 'infra_error'],
    ['provider_error', 'infra_error'],
    ['cancelled', 'evidence_missing'],
  ])('an attempt that ended with %s is not graded, not even for a pack error', (outcome, expected) => {
    const result = judge('regex_match', { attempt: { outcome }, actual: 'x', expected: '(' });
    expect(result).toMatchObject({
      state: 'unavailable',
      verdict: null,
      score: null,
      outcome: expected,
      reason: 'attempt_not_graded',
    });
  });

  test.each<Outcome>(['agent_error', 'limit_reached', 'policy_violation'])(
    'an attempt that ended with %s is scored on its existing evidence',
    (outcome) => {
      expect(judge('exact_match', { attempt: { outcome }, actual: 'a', expected: 'a' })).toMatchObject({
        verdict: 'pass',
      });
    },
  );

  test('a failed verifier is an infrastructure error, an uncollected file is not', () => {
    const target = 'file:report';
    expect(judge('exact_match', { target, expected: 'a', verifier_failed: true })).toMatchObject({
      state: 'unavailable',
      outcome: 'infra_error',
      reason: 'verifier_failed',
    });
    expect(judge('exact_match', { target, expected: 'a' })).toMatchObject({
      state: 'unavailable',
      outcome: 'evidence_missing',
      reason: 'not_collected',
    });
  });

  test('captures from before a failure of the verifier still count', () => {
    const capture = { exists: true, content: 'a' };
    const result = judge('exact_match', {
      target: 'file:f',
      expected: 'a',
      capture,
      verifier_failed: true,
    });
    expect(result.verdict).toBe('pass');
  });
});

describe('the first error that applies decides', () => {
  test('an error of the pack is reported before an error of the agent', () => {
    expect(judge('exact_match', { actual: null, expected: null })).toMatchObject({
      outcome: 'pack_error',
      reason: 'missing_expected',
    });
  });

  test('an oversize expected text is reported before an oversize output', () => {
    const long = 'a'.repeat(100_001);
    expect(judge('fuzzy_match', { actual: long, expected: long })).toMatchObject({
      outcome: 'pack_error',
      reason: 'input_too_large',
    });
    expect(judge('fuzzy_match', { actual: long, expected: 'a' })).toMatchObject({
      outcome: 'evaluator_error',
      reason: 'input_too_large',
    });
  });

  test('a missing text that the pack itself should contain is a pack error', () => {
    expect(judge('exact_match', { target: 'case.payload.gone', expected: 'a' })).toMatchObject({
      outcome: 'pack_error',
      reason: 'missing_expected',
      evidence: null,
    });
  });
});

describe('empty texts', () => {
  test('an empty output counts as absent unless the expected text is empty too', () => {
    expect(judge('contains', { actual: '', expected: 'a' })).toMatchObject({ reason: 'empty_output' });
    expect(judge('contains', { actual: '', expected: '' })).toMatchObject({ verdict: 'pass' });
    expect(judge('exact_match', { actual: ' ', expected: 'a' })).toMatchObject({ reason: 'not_equal' });
  });

  test('an existing empty file is evidence', () => {
    const empty = { target: 'file:f', capture: { exists: true, content: '' } };
    expect(judge('not_contains', { ...empty, expected: 'a' })).toMatchObject({ verdict: 'pass' });
    expect(judge('json_schema', { ...empty, expected: '{}' })).toMatchObject({
      reason: 'unparsable_output',
    });
  });
});

test('a search in a truncated file counts only when it finds the text', () => {
  const cut = { target: 'file:f', capture: { exists: true, content: 'abc', truncated: true } };
  const failed = { outcome: 'agent_fail', reason: 'capture_truncated' };
  expect(judge('contains', { ...cut, expected: 'b' })).toMatchObject({ verdict: 'pass' });
  expect(judge('regex_match', { ...cut, expected: 'b+' })).toMatchObject({ verdict: 'pass' });
  expect(judge('contains', { ...cut, expected: 'x' })).toMatchObject(failed);
  expect(judge('exact_match', { ...cut, expected: 'abc' })).toMatchObject(failed);
  expect(judge('not_contains', { ...cut, expected: 'x' })).toMatchObject(failed);
});

describe('evidence', () => {
  test('a result points at its deciding event', () => {
    expect(judge('exact_match', { actual: 'a', expected: 'a' }).evidence).toEqual({
      from_sequence: 1,
      to_sequence: 1,
    });
    const captured = { target: 'file:f', capture: { exists: true, content: 'a' }, expected: 'a' };
    expect(judge('exact_match', captured).evidence).toEqual({
      from_sequence: 1,
      to_sequence: 1,
      artifact: 'f',
    });
  });

  test('a result that was decided early points at its event, too', () => {
    const faulty = judge('regex_match', { actual: 'a', expected: '(' });
    expect(faulty.evidence).toEqual({ from_sequence: 1, to_sequence: 1 });
  });
});

test('results have the order of the spec and are the same every time', () => {
  const spec = readEvaluationSpec({
    name: 'order',
    version_number: 1,
    judge_mode: 'deterministic',
    validators: ['b', 'a', 'c'].map((key) => ({
      key,
      type: 'fuzzy_match',
      target: 'final_output',
      expected_from: `literal:${key.repeat(5000)}`,
    })),
    scorecard: { dimensions: ['correctness'] },
  });
  const evidence = evidenceOf({ actual: 'abcb'.repeat(2000) });
  const results = scoreValidators(spec, evidence);
  expect(results.map(({ key }) => key)).toEqual(['b', 'a', 'c']);
  expect(JSON.stringify(scoreValidators(spec, evidence))).toBe(JSON.stringify(results));
});

test('a bug in one validator is reported, and does not change the results of others', () => {
  const spec = specOf('exact_match', { expected: 'a' });
  const evidence = evidenceOf({ actual: 'a', expected: 'a' });
  const broken = { ...evidence, case: undefined as never };
  const bugs: string[] = [];
  const [result] = scoreValidators(spec, broken, { onBug: (_error, key) => bugs.push(key) });
  expect(result).toMatchObject({
    state: 'error',
    score: null,
    outcome: 'evaluator_error',
    reason: 'validator_failed',
  });
  expect(bugs).toEqual(['v']);
});
