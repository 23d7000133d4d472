import { readEvaluationSpec } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import type { AttemptEvidence } from '../evidence/types.js';
import { scoreAttempt } from '../scorecard/score-attempt.js';
import { packErrorOf } from './pack-error.js';

function errorOf(validator: object, expectations: object, output = '{}', script?: object) {
  const spec = readEvaluationSpec({
    name: 'spec',
    version_number: 1,
    judge_mode: 'deterministic',
    validators: [
      { key: 'fine', type: 'contains', target: 'final_output', expected_from: 'literal:{' },
      { key: 'queue', target: 'final_output', ...validator },
    ],
    scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
  });
  const evidence: AttemptEvidence = {
    attempt: { outcome: 'completed' },
    events: [
      {
        sequence_number: 1,
        event_type: 'system.output.finalized',
        occurred_at: '2026-01-01T00:00:00.000Z',
        payload: { final_output: output },
      },
      ...(script
        ? [
            {
              sequence_number: 2,
              event_type: 'grader.verification.script_executed',
              occurred_at: '2026-01-01T00:00:00.000Z',
              payload: { validator_key: 'queue', ...script },
            },
          ]
        : []),
    ],
    case: { expectations: expectations as never },
  };
  return packErrorOf(spec, scoreAttempt(spec, evidence));
}

describe('a pack error', () => {
  const fromCase = { type: 'json_path_match', expected_from: 'case.expectations.queue' };

  test('a pack error names validator, type, expectation, value and expected form', async () => {
    expect(await errorOf(fromCase, { queue: { value: 'billing' } })).toEqual({
      validator: 'queue',
      type: 'json_path_match',
      reason: 'invalid_expected',
      expected_from: 'case.expectations.queue',
      value: 'billing',
      message:
        'validator queue (json_path_match) cannot read case.expectations.queue = "billing": expected a JSON object {path, comparator, value} as text, or a path that begins with $',
    });
  });

  test('a pack error states when the case lacks the expected value of the validator', async () => {
    expect(await errorOf(fromCase, {})).toMatchObject({
      reason: 'missing_expected',
      value: null,
      message:
        'validator queue (json_path_match) needs case.expectations.queue, which the case does not have',
    });
  });

  test('a harness that cannot grade is named with its reason and the next step', () => {
    const spec = readEvaluationSpec({
      ...{ name: 'spec', version_number: 1, judge_mode: 'deterministic' },
      validators: [
        {
          ...{ key: 'tests', type: 'code_execution' },
          config: { harness: { adapter: 'unittest', tests: 'tests', code: ['solution.py'] } },
        },
      ],
      scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
    });
    const payload = {
      ...{ validator_key: 'tests', exit_code: 121, timed_out: false },
      command: 'exec agentclash-grade unittest --tests tests --code solution.py',
      stderr_tail: 'agentclash-grade: there are no tests at /grader/tests\n',
      reports: [{ path: '/grader/report.xml', format: 'junit', state: 'missing' }],
    };
    const event = { sequence_number: 1, occurred_at: '2026-01-01T00:00:00.000Z', payload };
    const card = scoreAttempt(spec, {
      attempt: { outcome: 'completed' },
      events: [{ ...event, event_type: 'grader.verification.code_executed' }],
      case: {},
    });
    expect(card.overall).toBeNull();
    expect(packErrorOf(spec, card)).toEqual({
      ...{ validator: 'tests', type: 'code_execution', reason: 'harness_setup_failed', expected_from: null },
      value: 'there are no tests at /grader/tests',
      message:
        'validator tests (code_execution) cannot grade any attempt, since its harness ended with the error: there are no tests at /grader/tests; correct the pack and publish a new version',
    });
  });

  test('a pack error shows the beginning of a long value', async () => {
    const error = await errorOf(
      { type: 'numeric_match', expected_from: 'case.expectations.queue' },
      { queue: { value: 'x'.repeat(5_000) } },
    );
    expect(error).toMatchObject({
      value: `${'x'.repeat(60)}…`,
      message: expect.stringMatching(/…": expected a number$/),
    });
  });

  test('a pack error of a script has the last line that it printed', async () => {
    const script = {
      type: 'script',
      target: 'evidence',
      config: { artifact_key: 'check', runtime: 'python' },
    };
    const stderr_tail = 'Traceback (most recent call last):\n  File "a.py"\nKeyError: \'total\'\n';
    expect(errorOf(script, {}, 'x', { exit_code: 1, stdout: 'started\n', stderr_tail })).toEqual({
      validator: 'queue',
      type: 'script',
      reason: 'script_failed',
      expected_from: null,
      value: "KeyError: 'total'",
      message:
        'validator queue has no result of its script, which printed "KeyError: \'total\'": script failed',
    });
    expect(errorOf(script, {}, 'x', { exit_code: 0, stdout: '' })).toMatchObject({
      value: null,
      message: 'validator queue has no result of its script: reply missing',
    });
  });

  test('a usable pack has no pack error, whatever the agent did', async () => {
    expect(await errorOf(fromCase, { queue: { value: '$.queue' } }, 'no JSON')).toBeUndefined();
  });
});
