import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge } from '../testing/judge.js';

const ended = (stdout: string, more: object = {}) =>
  judge('script', {
    target: 'evidence',
    config: { artifact_key: 'check', runtime: 'python' },
    actual: 'the work of the agent',
    script: { exit_code: 0, timed_out: false, oom: false, stdout, stdout_bytes: stdout.length, ...more },
  });

describe('the reply of a script', () => {
  test('a script decides by score and verdict, and its words are kept', () => {
    expect(ended('{"score": 0.5, "passed": true, "reason": "good"}\n')).toMatchObject({
      state: 'scored',
      verdict: 'pass',
      score: 0.5,
      reason: null,
      outcome: 'agent_pass',
      detail: 'good',
      evidence: { from_sequence: 2, to_sequence: 2 },
    });
    expect(ended('{"score": 0.12345678901234567890, "passed": true}').score).toBe(0.12345678901234568);
    expect(ended('{"passed": false, "score": 1}')).toMatchObject({
      verdict: 'fail',
      score: 1,
      reason: 'not_passed',
      outcome: 'agent_fail',
    });
    const long = JSON.stringify({ score: 0, passed: false, reason: `a\u0000b\u001b${'x'.repeat(5_000)}` });
    expect(ended(long).detail).toBe(`ab${'x'.repeat(1_998)}`);
  });

  test.each([
    ['', 'reply_missing'],
    [' \n', 'reply_missing'],
    ['passed', 'reply_unparsable'],
    ['{"score": NaN, "passed": true}', 'reply_unparsable'],
    ['{"score": 1, "passed": true} done', 'reply_unparsable'],
    ['[1]', 'reply_not_an_object'],
    ['1', 'reply_not_an_object'],
    ['{"passed": true}', 'score_not_a_number'],
    ['{"score": "1", "passed": true}', 'score_not_a_number'],
    ['{"score": true, "passed": true}', 'score_not_a_number'],
    ['{"score": 1e308, "passed": true}', 'score_out_of_range'],
    ['{"score": 1e999, "passed": true}', 'score_out_of_range'],
    ['{"score": -0.1, "passed": true}', 'score_out_of_range'],
    ['{"score": 0, "passed": true, "score": 1}', 'reply_member_repeated'],
    ['{"score": 1, "passed": false, "p\\u0061ssed": true}', 'reply_member_repeated'],
    ['{"score": 1}', 'passed_not_boolean'],
    ['{"score": 1, "passed": "true"}', 'passed_not_boolean'],
    ['{"score": 1, "passed": 1}', 'passed_not_boolean'],
    ['{"score": 1, "passed": true, "reason": 7}', 'reason_not_text'],
  ])('an output %j is no reply, which is an error of the pack: %s', (stdout, reason) => {
    expect(ended(stdout)).toMatchObject({ state: 'error', score: null, outcome: 'pack_error', reason });
  });

  test.each([
    [{ timed_out: true, exit_code: 137 }, 'script_timeout'],
    [{ oom: true, exit_code: 137 }, 'script_out_of_memory'],
    [{ exit_code: 1 }, 'script_failed'],
    [{ exit_code: null }, 'script_failed'],
    [{ exit_code: 127 }, 'interpreter_missing'],
    [{ stdout_bytes: 65_537, exit_code: null }, 'reply_too_large'],
    [{ evidence_too_large: true, exit_code: null }, 'evidence_too_large'],
  ])('a script that ended as %j has no reply that counts: %s', (end, reason) => {
    const found = ended('{"score": 1, "passed": true}', end);
    expect(found).toMatchObject({ outcome: 'pack_error', score: null, verdict: null, reason });
  });

  test('a script that was not run is missing evidence, and a failed verifier the platform’s failure', () => {
    const config = { artifact_key: 'check', runtime: 'node' };
    const trial = { target: 'evidence', config };
    expect(judge('script', trial)).toMatchObject({ outcome: 'evidence_missing', reason: 'not_collected' });
    expect(judge('script', { ...trial, verifier_failed: true })).toMatchObject({
      outcome: 'infra_error',
      reason: 'verifier_failed',
    });
  });

  test('whatever a script prints, it is a share with a verdict or an error of the pack', () => {
    const value = fc.oneof(fc.double(), fc.boolean(), fc.string(), fc.constant(null));
    const reply = fc.record({ score: value, passed: value, reason: value }, { requiredKeys: [] });
    const printed = fc.oneof(
      fc.string(),
      fc.json(),
      reply.map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(printed, (stdout) => {
        const { state, score, verdict, outcome, detail = '' } = ended(stdout);
        if (state === 'scored') {
          expect(score !== null && score >= 0 && score <= 1).toBe(true);
          expect(['pass', 'fail']).toContain(verdict);
        } else expect([state, score, verdict, outcome]).toEqual(['error', null, null, 'pack_error']);
        expect(detail.length).toBeLessThanOrEqual(4_000);
      }),
      { numRuns: 500 },
    );
  });
});
