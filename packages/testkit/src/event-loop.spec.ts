import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { leastBlockMs, slowdown } from './event-loop.js';

test('a computation between two turns is measured in every try, and a wait is not', async () => {
  const computing = async () => {
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 80_000);
  };
  expect(await leastBlockMs(computing, 20)).toBeGreaterThan(20);
  expect(await leastBlockMs(() => delay(80), 20)).toBeLessThanOrEqual(20);
});

test('a failure ends the measurement with its error', async () => {
  await expect(leastBlockMs(() => Promise.reject(new Error('broken')), 20)).rejects.toThrow('broken');
});

test('a machine whose CPUs are shared by many threads is slower by about their number', async () => {
  const threads = Array.from(
    { length: 4 * availableParallelism() },
    () =>
      new Worker("require('node:worker_threads').parentPort.postMessage('up'); for (;;);", { eval: true }),
  );
  try {
    await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('message', resolve))));
    expect(slowdown()).toBeGreaterThan(2);
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  expect(slowdown()).toBeGreaterThanOrEqual(1);
});
