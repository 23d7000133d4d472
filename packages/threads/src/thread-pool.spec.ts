import { afterEach, expect, test } from '@jest/globals';
import { TooManyWaiting } from './fair-limiter.js';
import { ThreadOverrun } from './task-thread.js';
import { ThreadPool, type ThreadPoolLimits } from './thread-pool.js';

/** Replies with its task; "spin" never ends, "hold" ends when the shared flag is set. */
const PROGRAM = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (task) => {
  if (task === 'spin') for (;;);
  if (task?.hold) Atomics.wait(new Int32Array(task.hold), 0, 0);
  parentPort.postMessage(task?.hold ? 'held' : task);
});
`;

const pools: ThreadPool[] = [];

function pool(limits: Partial<ThreadPoolLimits> = {}): ThreadPool {
  const program = new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`);
  const made = new ThreadPool(program, {
    threads: 2,
    memoryMib: 64,
    timeoutMs: 60_000,
    waitingMax: 10,
    ...limits,
  });
  pools.push(made);
  return made;
}

function flag() {
  const hold = new SharedArrayBuffer(4);
  const release = () => {
    Atomics.store(new Int32Array(hold), 0, 1);
    Atomics.notify(new Int32Array(hold), 0);
  };
  return { task: { hold }, release };
}

afterEach(async () => {
  for (const each of pools.splice(0)) await each.stop();
});

test('a task that does not end is ended, and the next one gets a thread of its own', async () => {
  const threads = pool({ threads: 1, timeoutMs: 500 });
  await expect(threads.run({ tenant: 'a', task: 'spin' })).rejects.toThrow(ThreadOverrun);
  const unhurried = pool({ threads: 1 });
  expect(await unhurried.run({ tenant: 'a', task: 1 })).toBe(1);
});

test('a second tenant is served at once while one tenant holds all threads that it may', async () => {
  const threads = pool();
  const { task, release } = flag();
  const held = [1, 2, 3].map(() => threads.run({ tenant: 'a', task }));
  expect(await threads.run({ tenant: 'b', task: 'quick' })).toBe('quick');
  release();
  expect(await Promise.all(held)).toEqual(['held', 'held', 'held']);
});

test('waiting tasks are served in rotation by tenant, and learn when their turn begins', async () => {
  const threads = pool({ threads: 1 });
  const { task, release } = flag();
  const first = threads.run({ tenant: 'a', task });
  const order: string[] = [];
  const queued = ['a1', 'a2', 'b1', 'c1'].map((name) =>
    threads.run({ tenant: name.slice(0, 1), task: name, onSlot: () => order.push(name) }),
  );
  release();
  await Promise.all([first, ...queued]);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('more waiting tasks of a tenant than its limit are refused, and those of others are not', async () => {
  const threads = pool({ threads: 1, waitingMax: 1 });
  const { task, release } = flag();
  const running = threads.run({ tenant: 'a', task });
  const waiting = threads.run({ tenant: 'a', task: 1 });
  await expect(threads.run({ tenant: 'a', task: 2 })).rejects.toThrow(TooManyWaiting);
  const other = threads.run({ tenant: 'b', task: 3 });
  release();
  expect(await Promise.all([running, waiting, other])).toEqual(['held', 1, 3]);
});

test('a task is cancelled by its signal, whether it is queued or running', async () => {
  const threads = pool({ threads: 1 });
  const cancelled = new AbortController();
  const running = threads.run({ tenant: 'a', task: 'spin', signal: cancelled.signal });
  const waiting = threads.run({ tenant: 'a', task: 1, signal: cancelled.signal });
  cancelled.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
  await expect(waiting).rejects.toThrow('cancelled');
  expect(await threads.run({ tenant: 'a', task: 2 })).toBe(2);
});
