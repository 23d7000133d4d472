import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { afterEach, expect, test } from '@jest/globals';
import { TaskThread, ThreadOverrun } from './task-thread.js';

/** Produces about 200 MiB of garbage, then reports the size of its young generation. */
const WASTEFUL = `
import { getHeapSpaceStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
parentPort.on('message', () => {
  let kept = [];
  for (let count = 0; count < 2_000_000; count += 1) {
    kept.push({ count, pair: [count, count] });
    if (kept.length > 50_000) kept = [];
  }
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  parentPort.postMessage(young.space_size / 2 ** 20);
});
`;

/** Uses as many milliseconds of CPU time as its task is; "block" never ends. */
const BUSY = `
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
const cpuMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
parentPort.on('message', (task) => {
  if (task === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  const end = cpuMs() + task;
  while (cpuMs() < end);
  parentPort.postMessage('computed');
});
`;
const CPU_MS = 400;
const LIMIT_MS = 1_000;
/** Enough for each to take longer by the clock than its limit. */
const AT_ONCE = 4 * availableParallelism();

const threads: TaskThread[] = [];
function busyThread(): TaskThread {
  const program = new URL(`data:text/javascript,${encodeURIComponent(BUSY)}`);
  const thread = new TaskThread(program, { memoryMib: 64 });
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  setFlagsFromString('--max-semi-space-size=0');
  for (const thread of threads.splice(0)) await thread.stop();
});

test('a thread keeps its young generation small, also in a process with a larger limit', async () => {
  setFlagsFromString('--max-semi-space-size=64');
  const thread = new TaskThread(new URL(`data:text/javascript,${encodeURIComponent(WASTEFUL)}`), {
    memoryMib: 256,
  });
  expect(await thread.run({}, 60_000)).toBeLessThanOrEqual(24);
  await thread.stop();
});

test('a task within its limit has the same result alone and under four times the load', async () => {
  expect(await busyThread().run(CPU_MS, LIMIT_MS)).toBe('computed');
  const loaded = Array.from({ length: AT_ONCE }, busyThread);
  // All have started before the times count.
  await Promise.all(loaded.map((thread) => thread.run(0, 60_000)));
  const startedAt = performance.now();
  const replies = await Promise.all(loaded.map((thread) => thread.run(CPU_MS, LIMIT_MS)));
  expect(replies).toEqual(Array(AT_ONCE).fill('computed'));
  // Else the load was none, and this test proves nothing.
  expect(performance.now() - startedAt).toBeGreaterThan(LIMIT_MS);
});

test('a task beyond its limit overruns alone and under load, and its time is counted', async () => {
  for (const count of [1, AT_ONCE / 4]) {
    const loaded = Array.from({ length: count }, busyThread);
    const runs = await Promise.allSettled(loaded.map((thread) => thread.run(600_000, LIMIT_MS)));
    expect(runs).toEqual(Array(count).fill({ status: 'rejected', reason: expect.any(ThreadOverrun) }));
    expect(Math.min(...loaded.map(({ usedMs }) => usedMs))).toBeGreaterThanOrEqual(LIMIT_MS);
  }
});

test('a task that gets no CPU time for sixty times its limit has no result', async () => {
  await expect(busyThread().run('block', 20)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a start that takes long is an overloaded machine, never a task that took too much', async () => {
  const program = new URL(
    `data:text/javascript,${encodeURIComponent('await new Promise(() => setInterval(() => {}, 1_000));')}`,
  );
  const thread = new TaskThread(program, { memoryMib: 64, startMsMax: 20 });
  threads.push(thread);
  await expect(thread.run(1, LIMIT_MS)).rejects.toMatchObject({ code: 'unavailable' });
});
