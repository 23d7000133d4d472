import { setFlagsFromString } from 'node:v8';
import { afterEach, expect, test } from '@jest/globals';
import { TaskThread } from './task-thread.js';

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
parentPort.postMessage('ready');
`;

afterEach(() => setFlagsFromString('--max-semi-space-size=0'));

test('a thread keeps its young generation small, also in a process with a larger limit', async () => {
  setFlagsFromString('--max-semi-space-size=64');
  const thread = new TaskThread(new URL(`data:text/javascript,${encodeURIComponent(WASTEFUL)}`), {
    memoryMib: 256,
  });
  expect(await thread.run({}, 60_000)).toBeLessThanOrEqual(24);
  await thread.stop();
});
