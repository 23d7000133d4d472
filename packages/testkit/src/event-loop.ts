import { readFileSync } from 'node:fs';

/** Linux: nanoseconds that the thread has computed, to a few milliseconds. Elsewhere those of the whole process. */
const THREAD_TIME = '/proc/thread-self/schedstat';
/** Long enough for the scheduler to take the CPU away several times where others want it. */
const SAMPLE_MS = 100;

/** The best of several tries of `longestBlockMs`; stops at the first within the limit. */
export async function leastBlockMs(run: () => Promise<unknown>, limitMs: number, tries = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < tries && least > limitMs; turn += 1) {
    least = Math.min(least, await longestBlockMs(run));
  }
  return least;
}

/**
 * The longest time that the event loop is blocked while `run` is in progress, in milliseconds of CPU time of this thread: so
 * that neither a busy machine counts nor V8's other threads, which compile and collect.
 */
export async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = computedMs();
  let isDone = false;
  const watch = () => {
    const now = computedMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setTimeout(watch, 1);
  };
  setTimeout(watch, 1);
  await run().finally(() => {
    isDone = true;
  });
  watch();
  return longest;
}

/**
 * How many times as long as on an idle machine work takes now: the time by the clock of a little computing, beside its CPU
 * time. A bound in seconds times this holds on a busy machine too.
 */
export function slowdown(): number {
  const startedAt = performance.now();
  const computedBefore = computedMs();
  while (computedMs() - computedBefore < SAMPLE_MS);
  return Math.max(1, (performance.now() - startedAt) / SAMPLE_MS);
}

function computedMs(): number {
  try {
    return Number(readFileSync(THREAD_TIME, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
