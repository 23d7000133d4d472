import { availableParallelism } from 'node:os';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Attempt, AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan, graderPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** Four sandboxes for each core, each with work for a whole one. */
const AT_ONCE = 4 * availableParallelism();
const CPU_MS = 700;
const LIMIT_MS = 2_000;
/** The machine may have other work than this test's. */
const UNBOUNDED = { starvationMax: 1_000 };

/** Uses so much CPU time, by its own clock of it. */
const burn = (cpuMs: number) => `while :; do
  i=0; while [ $i -lt 500 ]; do i=$((i+1)); done
  read -r ran rest < /proc/$$/schedstat; [ $((ran / 1000000)) -lt ${cpuMs} ] || break
done`;

const plan = attemptPlan({ kind: 'program', config: { command: ['true'] } });
const graded = (test_command: string) =>
  graderPlan(plan, { code_executions: [{ validator_key: 'tests', test_command, timeout_ms: LIMIT_MS }] });

/** The evidence of a test run that scoring reads. */
function verdictOf({ events }: Attempt) {
  const [executed] = events.payloads('grader.verification.code_executed');
  return { exit_code: executed?.exit_code, timed_out: executed?.timed_out };
}

async function verifiedAtOnce(attempts: readonly Attempt[], command: string) {
  const verify = ({ verify, result }: Attempt) => verify(graded(command), result.snapshot, UNBOUNDED);
  await Promise.all(attempts.map(verify));
  return attempts.map(verdictOf);
}

async function finished(count: number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (let n = 0; n < count; n += 1) attempts.push(await harness.run(plan));
  return attempts;
}

describe('the verdict of a test', () => {
  test.each([
    ['that needs less CPU than its limit', CPU_MS, { exit_code: 0, timed_out: false }],
    ['that needs more CPU than its limit', 60_000, { exit_code: 137, timed_out: true }],
  ])(
    'the verdict of a test %s is the same alone and under four times the load',
    async (_, cpuMs, verdict) => {
      const [alone] = await verifiedAtOnce(await finished(1), burn(cpuMs));
      expect(alone).toEqual(verdict);
      const loaded = await finished(AT_ONCE);
      expect(await verifiedAtOnce(loaded, burn(cpuMs))).toEqual(Array(AT_ONCE).fill(verdict));
      const executed = loaded.flatMap(({ events }) => events.payloads('grader.verification.code_executed'));
      // Else the load was none: by wall time some of these would have been timeouts.
      const late = executed.filter(({ duration_ms }) => duration_ms > LIMIT_MS);
      expect(late.length).toBeGreaterThan(0);
      for (const { duration_ms, starved_ms = 0 } of late) {
        expect(starved_ms).toBeGreaterThan(duration_ms - LIMIT_MS - 150);
      }
    },
  );

  test('a test that was starved beyond the bound has no verdict: the verification fails with cpu_starved', async () => {
    const loaded = await finished(AT_ONCE);
    const verifications = await Promise.all(
      loaded.map((attempt) =>
        attempt.verify(graded(burn(60_000)), attempt.result.snapshot, { starvationMax: 0.05 }),
      ),
    );
    const starved = verifications.filter(({ status }) => status === 'failed');
    expect(starved.length).toBeGreaterThan(0);
    expect(starved).toEqual(starved.map(() => ({ status: 'failed', code: 'cpu_starved' })));
    const failed = loaded.flatMap(({ events }) => events.payloads('grader.verification.failed'));
    expect(failed).toEqual(starved.map(() => expect.objectContaining({ code: 'cpu_starved' })));
  });
});

describe('the verdict of a script', () => {
  // Here, since the tests of one file do not run at once.
  const SOURCE = `import json, time
while time.process_time() < 0.4: pass
print(json.dumps({"score": 1, "passed": True}))`;
  const SCRIPT_MS = 1_000;

  test('the verdict of a script is the same alone and under four times the load', async () => {
    const of = attemptPlan(
      { kind: 'program', config: { command: ['true'] } },
      { script_runtimes: ['python'] },
    );
    const script = {
      ...{ validator_key: 'check', path: '/grader/check.py', runtime: 'python' as const },
      ...{ artifact: harness.store.add(SOURCE), timeout_ms: SCRIPT_MS },
    };
    const grader = graderPlan(of, { scripts: [script] });
    const attempts: Attempt[] = [];
    for (let n = 0; n < AT_ONCE; n += 1) attempts.push(await harness.run(of));
    await Promise.all(attempts.map(({ verify, result }) => verify(grader, result.snapshot, UNBOUNDED)));
    const executed = attempts.flatMap(({ events }) => events.payloads('grader.verification.script_executed'));
    const replies = executed.map(({ stdout, timed_out }) => ({ stdout, timed_out }));
    expect(replies).toEqual(
      Array(AT_ONCE).fill({ stdout: '{"score": 1, "passed": true}\n', timed_out: false }),
    );
    // Else the load was none: by wall time some of these would have been timeouts.
    expect(Math.max(...executed.map(({ duration_ms }) => duration_ms))).toBeGreaterThan(SCRIPT_MS);
  });
});

describe('an agent that uses CPU', () => {
  const agent = (script: string, run_timeout_seconds: number): AttemptPlan => ({
    ...plan,
    agent: { kind: 'program', config: { command: ['sh', '-c', script] } },
    limits: { ...plan.limits, run_timeout_seconds },
  });

  test('an agent that uses CPU has the same outcome alone and under four times the load, by its counted time', async () => {
    const work = agent(`${burn(CPU_MS)}; echo done`, LIMIT_MS / 1_000);
    expect((await harness.run(work, UNBOUNDED)).result.outcome).toBe('completed');
    const loaded = await Promise.all(Array.from({ length: AT_ONCE }, () => harness.run(work, UNBOUNDED)));
    expect(loaded.map(({ result }) => result.outcome)).toEqual(Array(AT_ONCE).fill('completed'));
    const ended = loaded.flatMap(({ events }) => events.payloads('system.run.completed'));
    expect(Math.max(...ended.map(({ latency_ms }) => latency_ms))).toBeLessThan(LIMIT_MS);
    expect(Math.max(...ended.map(({ starved_ms = 0 }) => starved_ms))).toBeGreaterThan(0);
  });

  test('an agent that was starved of CPU beyond the bound ends as infra_error, which is retried', async () => {
    const work = agent(burn(60_000), 30);
    const loaded = await Promise.all(
      Array.from({ length: AT_ONCE }, () => harness.run(work, { starvationMax: 0.01 })),
    );
    const starved = loaded.filter(({ result }) => result.outcome === 'infra_error');
    expect(starved.length).toBeGreaterThan(0);
    for (const { result, events } of starved) {
      expect(result).toMatchObject({ error: { code: 'cpu_starved', retryable: true }, snapshot: null });
      expect(events.payloads('system.run.failed')).toMatchObject([{ will_retry: true }]);
    }
  });
});
