import { afterEach, describe, expect, test } from '@jest/globals';
import { UntrustedThreads } from './untrusted-threads.js';

const made: UntrustedThreads[] = [];

function threads(limits: ConstructorParameters<typeof UntrustedThreads>[0] = {}): UntrustedThreads {
  const opened = new UntrustedThreads({ timeoutMs: 60_000, ...limits });
  made.push(opened);
  return opened;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.stop()));
});

describe('runs of tests are scored in threads', () => {
  const { signal } = new AbortController();
  const config = { test_command: '', timeout_ms: 1, scoring: 'fraction_passed' as const, pass_threshold: 1 };
  const validator = { key: 'tests', type: 'code_execution' as const, target: '', config };
  const run = (report: string) => ({
    ...{ validator_key: 'tests', command: '', exit_code: 1, timed_out: false, stdout_tail: '' },
    ...{ stderr_tail: '', report, duration_ms: 1 },
  });
  const junit = { ...validator, config: { ...config, report_path: 'r.xml' } };

  test('the score of a run is that of its validator, and a run that cannot be judged has none', async () => {
    const score = threads().testRunsOf('a');
    const half = '<testsuite><testcase/><testcase><failure/></testcase></testsuite>';
    expect(await score(junit, run(half), signal)).toBe(0.5);
    expect(await score(junit, run('<html/>'), signal)).toBe(0);
    const reports = [{ path: 'r', format: 'reward' as const }];
    expect(await score({ ...validator, config: { ...config, reports } }, run(''), signal)).toBeNull();
  });

  test('a report that takes too long to read gives no score', async () => {
    const score = threads({ timeoutMs: 20 }).testRunsOf('a');
    const large = `<testsuite>${'<testcase/>'.repeat(800_000)}</testsuite>`;
    expect(await score(junit, run(large), signal)).toBeNull();
  });
});
