import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

const run = (execution: Record<string, unknown>, config: Record<string, number | string> = {}) =>
  judge('code_execution', {
    target: 'file:solution',
    config: { test_command: 'npm test', ...config },
    execution: { exit_code: 0, timed_out: false, ...execution },
  });

describe('counts', () => {
  test.each([
    ['2 passed, 1 failed', 2 / 3],
    ['Tests: 1 failed, 4 passed, 5 total', 4 / 5],
    ['1 Passed\n2 ERRORS', 1 / 3],
    ['{"passed":3,"failed":1}', 3 / 4],
    ['{"passed":3,"total":4}', 3 / 4],
    ['{"failed":1,"error":1,"total":4}', 2 / 4],
    ['log\n<testsuite tests="4" failures="1" errors="1" skipped="1"/>\nbye', 1 / 3],
    ['<testsuites tests="9"><testsuite tests="2" failures="1"/></testsuites>', 1 / 2],
  ])('a test run that printed %j has the score %d', (stdout_tail, score) => {
    const result = run({ exit_code: 1, stdout_tail });
    expect(result.score).toBeCloseTo(score, 12);
    expect(result.evidence).toEqual({
      from_sequence: 1,
      to_sequence: 1,
      artifact: 'solution',
      kind: 'printed',
    });
  });

  test('a test run of a validator without a target points to itself alone', () => {
    const validator = { config: { test_command: 'npm test' }, target: '' };
    const ran = judge('code_execution', { ...validator, execution: { exit_code: 0, timed_out: false } });
    expect(ran).toMatchObject({ verdict: 'pass' });
    expect(ran.evidence).toEqual({ from_sequence: 1, to_sequence: 1, kind: 'exit_code' });
    const cancelled = judge('code_execution', { ...validator, attempt: { outcome: 'cancelled' } });
    expect(cancelled).toMatchObject({ outcome: 'evidence_missing', evidence: null });
  });

  describe('of several phases', () => {
    const reward = (phase_id: string, text: string, more = {}) => ({
      ...{ phase_id, exit_code: 0, timed_out: false },
      reports: [{ path: 'r', format: 'reward_json', state: 'read', text }],
      ...more,
    });
    const phased = (runs: object[], config = {}) =>
      judge('code_execution', {
        target: '',
        config: { test_command: 'true', reports: [{ path: 'r', format: 'reward_json' }], ...config },
        execution: runs as Record<string, unknown>[],
      });
    const ONE = reward('one', '{"reward": 1, "style": 1}');
    const TWO = reward('two', '{"reward": 0.5}');

    test('the score and the metrics are the means of the phases that were graded', () => {
      expect(phased([ONE, TWO], { pass_threshold: 0.7 })).toMatchObject({
        ...{ verdict: 'pass', score: 0.75, reason: null, metrics: { reward: 0.75, style: 0.5 } },
        evidence: { from_sequence: 1, to_sequence: 2, kind: 'report' },
      });
      expect(phased([ONE])).toMatchObject({ score: 1, verdict: 'pass' });
      expect(phased([ONE, TWO])).toMatchObject({ verdict: 'fail', reason: 'below_threshold' });
    });

    test('the last phase decides where the pack wants it', () => {
      expect(phased([ONE, TWO], { phases: 'final' })).toMatchObject({
        ...{ score: 0.5, metrics: { reward: 0.5 } },
        evidence: { from_sequence: 2, to_sequence: 2 },
      });
    });

    test('the last of two runs for one phase counts, and a timeout is a 0 with its reason', () => {
      expect(phased([reward('one', '{"reward": 0}'), ONE])).toMatchObject({ score: 1 });
      const late = { phase_id: 'two', exit_code: null, timed_out: true };
      expect(phased([ONE, late])).toMatchObject({ score: 0.5, reason: 'test_timeout' });
      expect(phased([ONE, late]).compared?.actual?.text).toMatch(/^one: .*\ntwo: timed out/);
    });

    test('a phase without collected reports leaves no mean', () => {
      expect(phased([ONE, { phase_id: 'two', exit_code: 0, timed_out: false }])).toMatchObject({
        ...{ state: 'error', reason: 'reports_not_collected' },
      });
    });
  });

  test('the counts of both output streams are used', () => {
    expect(run({ exit_code: 1, stdout_tail: '1 passed', stderr_tail: '1 failed' })).toMatchObject({
      score: 0.5,
    });
  });

  test('the counts of a report take precedence over those of the output', () => {
    const report = `<testsuite tests="9"><testcase/><testcase><failure/></testcase><testcase><error/></testcase>
      <testcase><skipped/></testcase></testsuite>`;
    const result = run({ exit_code: 1, stdout_tail: '99 passed', report }, { report_path: 'r.xml' });
    expect(result.score).toBeCloseTo(1 / 3, 12);
    expect(result.evidence).toMatchObject({ kind: 'report' });
  });

  test.each([
    [null, 'report_missing'],
    ['<testsuite>', 'report_unparsable'],
    ['<html/>', 'report_unparsable'],
    ['<testsuite tests="x"/>', 'report_unparsable'],
    ['<testsuite tests="1" failures="2"/>', 'report_unparsable'],
    ['<testsuite tests="1" skipped="1"/>', 'no_tests_ran'],
    ['<testsuite/>', 'no_tests_ran'],
  ])('a test run with the report %j fails with the reason %s', (report, reason) => {
    expect(run({ report, stdout_tail: '9 passed' }, { report_path: 'r.xml' })).toMatchObject({
      score: 0,
      reason,
    });
  });
});

describe('the exit code', () => {
  test.each([
    [0, null, 1],
    [1, 'nonzero_exit', 0],
    [null, 'nonzero_exit', 0],
  ])('the exit code %s decides where nothing was counted, with the reason %s', (exit_code, reason, score) => {
    expect(run({ exit_code })).toMatchObject({ score, reason, evidence: { kind: 'exit_code' } });
  });

  test.each([1, null])('the exit code %s contradicts a report of passes alone', (exit_code) => {
    expect(run({ exit_code, stdout_tail: '3 passed' })).toMatchObject({
      score: 0,
      reason: 'exit_code_mismatch',
    });
  });
});

test('a timeout is a failure whatever was printed', () => {
  expect(run({ timed_out: true, stdout_tail: '3 passed' })).toMatchObject({
    score: 0,
    reason: 'test_timeout',
  });
});

test('one failed test sets the score to 0 under all_or_nothing', () => {
  const config = { scoring: 'all_or_nothing' };
  expect(run({ exit_code: 1, stdout_tail: '9 passed, 1 failed' }, config)).toMatchObject({ score: 0 });
  expect(run({ stdout_tail: '9 passed' }, config)).toMatchObject({ score: 1 });
});

test('the threshold is the share to pass at', () => {
  const config = { pass_threshold: 0.9 };
  expect(run({ exit_code: 1, stdout_tail: '9 passed, 1 failed' }, config)).toMatchObject({
    verdict: 'pass',
  });
});

test('printed digits without end take no time', () => {
  expect(run({ exit_code: 1, stdout_tail: '1'.repeat(1_000_000) })).toMatchObject({
    reason: 'nonzero_exit',
  });
});
