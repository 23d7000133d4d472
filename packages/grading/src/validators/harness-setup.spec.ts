import { describe, expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

const HARNESS = { adapter: 'pytest', tests: 'tests', code: ['solution.py'] };
const COMMAND = 'exec agentclash-grade pytest --tests tests --code solution.py';
const MISSING = { path: '/grader/report.xml', format: 'junit', state: 'missing' };
const STDERR = 'agentclash-grade: pytest is not installed: add python3-pytest\n';

const graded = (execution: object, config: object = { harness: HARNESS }) =>
  judge('code_execution', {
    target: '',
    config: { ...config },
    execution: {
      ...{ command: COMMAND, exit_code: 121, timed_out: false, stderr_tail: STDERR, reports: [MISSING] },
      ...execution,
    },
  });

describe('a harness that cannot grade', () => {
  test('its failure is an error of the pack, with the reason that it gave', () => {
    expect(graded({})).toMatchObject({
      ...{ outcome: 'pack_error', verdict: null, score: null, reason: 'harness_setup_failed' },
      detail: 'pytest is not installed: add python3-pytest',
    });
    const usage = 'usage: agentclash-grade …\nagentclash-grade: error: argument adapter: invalid choice\n';
    expect(graded({ stderr_tail: usage }).detail).toBe('argument adapter: invalid choice');
    expect(graded({ stderr_tail: '' })).toMatchObject({
      outcome: 'pack_error',
      detail: 'it gave no reason',
    });
  });

  test('the harness written as a command and a report is the same', () => {
    const config = { test_command: COMMAND, reports: [{ path: '/grader/report.xml', format: 'junit' }] };
    expect(graded({}, config)).toMatchObject({ outcome: 'pack_error' });
  });

  test('one phase that it cannot grade leaves no mean of the others, and keeps its reason', () => {
    const text = '<testsuite tests="1" failures="0"/>';
    const passed = { ...{ phase_id: 'one', command: COMMAND, exit_code: 0, timed_out: false } };
    const runs = [
      { ...passed, reports: [{ ...MISSING, state: 'read', text }] },
      { phase_id: 'two', command: COMMAND, exit_code: 121, stderr_tail: STDERR, reports: [MISSING] },
    ];
    expect(
      judge('code_execution', { target: '', config: { harness: { ...HARNESS } }, execution: runs }),
    ).toMatchObject({
      ...{ outcome: 'pack_error', score: null, detail: expect.stringContaining('not installed') },
    });
  });

  test.each([
    ['printed the text and ended otherwise', { exit_code: 1 }, 'report_missing'],
    ['ended with the code of what it may have caused', { exit_code: 120 }, 'report_missing'],
    ['killed the judge', { exit_code: 137, reports: [{ ...MISSING, state: 'killed' }] }, 'harness_killed'],
    ['ended by a signal', { exit_code: null, reports: [{ ...MISSING, state: 'killed' }] }, 'harness_killed'],
    ['starved the judge', { timed_out: true }, 'test_timeout'],
    ['left a link as the report', { reports: [{ ...MISSING, state: 'link' }] }, 'report_is_link'],
    ['left an empty report', { reports: [{ ...MISSING, state: 'read', text: '' }] }, 'report_unparsable'],
    ['ran before the harness', { command: `sh build.sh; ${COMMAND}` }, 'report_missing'],
    [
      'ran after the harness',
      { command: COMMAND.replace('exec ', '').concat('; sh end.sh') },
      'report_missing',
    ],
    ['was run by another command', { command: 'python3 solution.py' }, 'report_missing'],
  ])('an agent whose code %s has failed', (_what, execution, reason) => {
    expect(graded(execution)).toMatchObject({ outcome: 'agent_fail', score: 0, reason });
  });

  test('a command without a report is judged by its exit code', () => {
    expect(graded({ reports: undefined }, { test_command: COMMAND })).toMatchObject({
      outcome: 'agent_fail',
      reason: 'nonzero_exit',
    });
  });
});
