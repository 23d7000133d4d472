import { performance } from 'node:perf_hooks';

/** The longest time between two turns of the event loop while `run` is under way. */
async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const watch = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await run();
  isDone = true;
  watch();
  return longest;
}

/** The best of several tries: other processes make a try worse, never better. Stops at the first within the limit. */
export async function leastBlockMs(run: () => Promise<unknown>, limitMs: number, tries = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < tries && least > limitMs; turn += 1) {
    least = Math.min(least, await longestBlockMs(run));
  }
  return least;
}
