import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';

const EVERY_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A task whose runs end when the test lets them. */
function controlledTask(options: Partial<PeriodicTaskOptions> = {}) {
  const runs: { signal: AbortSignal; end: () => void; fail: (error: Error) => void }[] = [];
  const warnings: unknown[][] = [];
  const task = new PeriodicTask({
    run: (signal) =>
      new Promise<void>((resolve, reject) => {
        runs.push({ signal, end: resolve, fail: reject });
      }),
    everyMs: EVERY_MS,
    failureMessage: 'expired rows were not deleted',
    logger: { warn: (...line: unknown[]) => void warnings.push(line) },
    ...options,
  });
  const lastRun = () => {
    const run = runs.at(-1);
    if (run === undefined) throw new Error('no run has started');
    return run;
  };
  return { task, runs, lastRun, warnings };
}

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await pass(0);
  return settled;
}

describe('PeriodicTask', () => {
  test('a periodic task runs one interval after the start and one interval after each run', async () => {
    const { task, runs, lastRun } = controlledTask();
    await task.onApplicationBootstrap();
    await pass(EVERY_MS - 1);
    expect(runs).toHaveLength(0);
    await pass(1);
    expect(runs).toHaveLength(1);
    lastRun().end();
    await pass(EVERY_MS);
    expect(runs).toHaveLength(2);
  });

  test('a periodic task starts no second run while one is in progress, by interval or wake', async () => {
    const { task, runs } = controlledTask();
    await task.onApplicationBootstrap();
    await pass(EVERY_MS);
    task.wake();
    await pass(10 * EVERY_MS);
    expect(runs).toHaveLength(1);
  });

  test('a wake starts a run at once, and after the run in progress exactly one more', async () => {
    const { task, runs, lastRun } = controlledTask();
    await task.onApplicationBootstrap();
    task.wake();
    expect(runs).toHaveLength(1);
    task.wake();
    task.wake();
    lastRun().end();
    await pass(0);
    expect(runs).toHaveLength(2);
    lastRun().end();
    await pass(EVERY_MS - 1);
    expect(runs).toHaveLength(2);
    await pass(1);
    expect(runs).toHaveLength(3);
  });

  test('shutdown aborts the run in progress and waits for it, and none starts afterwards', async () => {
    const { task, runs, lastRun } = controlledTask();
    await task.onApplicationBootstrap();
    await pass(EVERY_MS);
    const { signal, end } = lastRun();
    expect(signal.aborted).toBe(false);
    const shutdown = task.beforeApplicationShutdown();
    expect(signal.aborted).toBe(true);
    expect(await isSettled(shutdown)).toBe(false);
    end();
    await shutdown;
    task.wake();
    await pass(10 * EVERY_MS);
    expect(runs).toHaveLength(1);
  });

  test('a failed run is logged with the message and fields of the task, and the next one follows', async () => {
    const { task, runs, lastRun, warnings } = controlledTask({ fields: { area: 'evidence' } });
    await task.onApplicationBootstrap();
    await pass(EVERY_MS);
    const error = new Error('the database is unavailable');
    lastRun().fail(error);
    await pass(0);
    expect(warnings).toEqual([[{ area: 'evidence', err: error }, 'expired rows were not deleted']]);
    await pass(EVERY_MS);
    expect(runs).toHaveLength(2);
  });

  test('a run that fails because it is aborted at shutdown logs nothing', async () => {
    const { task, lastRun, warnings } = controlledTask({ firstRun: 'immediate' });
    await task.onApplicationBootstrap();
    const shutdown = task.beforeApplicationShutdown();
    lastRun().fail(new Error('aborted'));
    await shutdown;
    expect(warnings).toEqual([]);
  });

  test('the service start waits for an awaited first run and not for an immediate one', async () => {
    const immediate = controlledTask({ firstRun: 'immediate' });
    await immediate.task.onApplicationBootstrap();
    expect(immediate.runs).toHaveLength(1);
    const awaited = controlledTask({ firstRun: 'awaited' });
    const started = awaited.task.onApplicationBootstrap();
    expect(await isSettled(started)).toBe(false);
    awaited.lastRun().end();
    await started;
  });

  test('an interval given as a function is computed after every run', async () => {
    const pauses = [1_000, 30_000];
    const { task, runs, lastRun } = controlledTask({
      firstRun: 'immediate',
      everyMs: () => pauses.shift() ?? 0,
    });
    await task.onApplicationBootstrap();
    lastRun().end();
    await pass(1_000);
    expect(runs).toHaveLength(2);
    lastRun().end();
    await pass(29_999);
    expect(runs).toHaveLength(2);
    await pass(1);
    expect(runs).toHaveLength(3);
  });
});
