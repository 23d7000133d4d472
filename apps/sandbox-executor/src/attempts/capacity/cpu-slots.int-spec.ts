import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { executorConfig, startSandboxExecutor } from '../../index.js';
import { attemptPlan, graderPlan } from '../../testing/assignments.js';
import { FakeServices } from '../../testing/fake-services.js';
import { isProcessRunning } from '../../testing/processes.js';

const nats = await freshNats();
const blobFolder = mkdtempSync(path.join(tmpdir(), 'agentclash-cpu-'));
const ATTEMPTS = 4;
const SLEEP_SECONDS = 0.5;

describe('an executor with one CPU slot', () => {
  let services: FakeServices;
  let close: () => Promise<void>;

  beforeAll(async () => {
    services = await FakeServices.open(nats.url);
    const config = executorConfig({
      NATS_URL: nats.url,
      BLOB_FOLDER: blobFolder,
      SANDBOX_MAX_CONCURRENT: String(ATTEMPTS),
      SANDBOX_CPU_SLOTS: '1',
      SANDBOX_STARVATION_MAX: '1',
      LOG_LEVEL: 'error',
    });
    ({ close } = await startSandboxExecutor(config));
  }, 60_000);

  afterAll(async () => {
    await close?.();
    await services?.close();
    rmSync(blobFolder, { recursive: true, force: true });
  });

  const plan = () => attemptPlan({ kind: 'program', config: { command: ['true'] } });
  const tested = (test_command: string, timeout_ms: number) => {
    const attempt = plan();
    const code_executions = [{ validator_key: 'tests', test_command, timeout_ms }];
    return services.assign(attempt, graderPlan(attempt, { code_executions }));
  };

  test('an executor with one CPU slot runs tests one after the other, and their time excludes the wait for the slot', async () => {
    const clock = 'date +%s%N';
    const command = `${clock}; sleep ${SLEEP_SECONDS}; ${clock}`;
    // Less than the others take together; the rest is what a machine with much to do may need to start a shell.
    const timeoutMs = ATTEMPTS * SLEEP_SECONDS * 1_000 - 100;
    const assigned = await Promise.all(Array.from({ length: ATTEMPTS }, () => tested(command, timeoutMs)));
    for (const each of assigned)
      expect(await services.finished(each)).toMatchObject({ outcome: 'completed' });
    const spans = assigned
      .flatMap((each) => each.of('grader.verification.code_executed'))
      .map(({ exit_code, timed_out, stdout_tail }) => {
        expect({ exit_code, timed_out }).toEqual({ exit_code: 0, timed_out: false });
        const [from = 0, to = 0] = String(stdout_tail).trim().split('\n').map(Number);
        return { from, to };
      })
      .sort((one, other) => one.from - other.from);
    expect(spans).toHaveLength(ATTEMPTS);
    for (const [index, { from }] of spans.entries()) {
      if (index > 0) expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? 0);
    }
  });

  test('a wait for a CPU slot ends when the run is cancelled', async () => {
    const seconds = `88${Math.floor(Math.random() * 1e9)}`;
    const holding = await tested(`sleep ${seconds}`, 60_000);
    await waitFor(() => isProcessRunning(seconds), { timeoutMs: 20_000, intervalMs: 50 });
    const waiting = await tested('true', 60_000);
    await waitFor(() => waiting.stages.includes('settling') || waiting.of('sandbox.destroyed').length > 0, {
      timeoutMs: 20_000,
    });
    await services.cancel(waiting.plan.run_id);
    expect(await services.finished(waiting)).toMatchObject({ outcome: 'cancelled', snapshot: null });
    expect(waiting.of('grader.verification.code_executed')).toEqual([]);
    await services.cancel(holding.plan.run_id);
    expect(await services.finished(holding)).toMatchObject({ outcome: 'cancelled' });
  });

  test('a delivery whose test was starved beyond the bound ends as infra_error, which is retried, not as a zero', async () => {
    const burn = 'taskset -c 0 sh -c "while :; do :; done"';
    // On the one CPU of the test.
    const loads = Array.from({ length: ATTEMPTS - 1 }, () =>
      attemptPlan({ kind: 'program', config: { command: ['sh', '-c', burn] } }),
    );
    const loading = await Promise.all(loads.map((load) => services.assign(load, graderPlan(load))));
    for (const each of loading)
      await waitFor(() => each.of('sandbox.command.started').length > 0, { timeoutMs: 20_000 });
    const starved = await tested(burn, 1_000);
    expect(await services.finished(starved)).toMatchObject({
      ...{ outcome: 'infra_error', finished_by: 'none', snapshot: null },
      error: { code: 'cpu_starved', retryable: true },
    });
    expect(starved.of('grader.verification.failed')).toMatchObject([{ code: 'cpu_starved' }]);
    expect(starved.of('grader.verification.code_executed')).toEqual([]);
    for (const { run_id } of loads) await services.cancel(run_id);
    for (const each of loading) expect(await services.finished(each)).toMatchObject({ outcome: 'cancelled' });
  });

  test('files are captured without a CPU slot', async () => {
    const seconds = `89${Math.floor(Math.random() * 1e9)}`;
    const holding = await tested(`sleep ${seconds}`, 60_000);
    await waitFor(() => isProcessRunning(seconds), { timeoutMs: 20_000, intervalMs: 50 });
    const attempt = plan();
    const check = { key: 'a', type: 'file_capture', path: 'a', recursive: false, max_size_bytes: 1 } as const;
    const looking = await services.assign(attempt, graderPlan(attempt, { checks: [check] }));
    expect(await services.finished(looking)).toMatchObject({ outcome: 'completed' });
    expect(looking.of('grader.verification.file_captured')).toMatchObject([{ exists: false }]);
    await services.cancel(holding.plan.run_id);
    await services.finished(holding);
  });
});
