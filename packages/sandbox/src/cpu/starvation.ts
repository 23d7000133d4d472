/** CPU accounting of one sandbox at one moment, cumulative since it was opened. Times in milliseconds. */
export interface CpuReading {
  /** Monotonic clock. */
  atMs: number;
  /** CPU time that its processes used. */
  usedMs: number;
  /** Sum over CPUs of the time in which the sandbox's own quota stopped it. */
  throttledMs: number;
  /** Quota periods in which it was stopped. */
  throttledPeriods: number;
  /**
   * Time in which processes were ready and none of them ran (PSI `full`); undefined where the kernel does not count it.
   * An average over the CPUs they were on, so too little of it where they moved between two readings.
   */
  pressureMs: number | undefined;
  threads: Threads;
}

/** Of the processes that are alive. Ids of threads are `PID/TID`. */
export interface Threads {
  times: ReadonlyMap<string, ThreadTimes>;
  /** Processes whose threads were not read. */
  unread: ReadonlySet<string>;
}

/** The time that a thread ran, and waited in a run queue. */
export interface ThreadTimes {
  ranMs: number;
  waitedMs: number;
}

/** Length of the period of every quota. */
export const CPU_PERIOD_MS = 100;

/**
 * Time between two readings in which the sandbox was ready to run and got no CPU, other than by its own quota. What a limit
 * leaves out is never more than `unusedBetween`: whatever a sandbox does, `used <= cpu * (elapsed - starved)`. So no number
 * of threads makes a limit longer than the same work would be on an idle machine.
 */
export function waitedBetween(before: CpuReading, after: CpuReading): number {
  const usedMs = usedBetween(before, after);
  // Neither is ever too much, so the larger is nearer to what was.
  const waitedMs = Math.max(pressureBetween(before, after), waitedForOthers(before, after, usedMs));
  return Math.max(0, waitedMs - throttledBetween(before, after));
}

/** The part of the time between two readings for which its quota of `cpu` CPUs was not used; below 0 where more was. */
export function unusedBetween(before: CpuReading, after: CpuReading, cpu: number): number {
  return after.atMs - before.atMs - usedBetween(before, after) / cpu;
}

function usedBetween(before: CpuReading, after: CpuReading): number {
  return Math.max(0, after.usedMs - before.usedMs);
}

function pressureBetween(before: CpuReading, after: CpuReading): number {
  if (before.pressureMs === undefined || after.pressureMs === undefined) return 0;
  return after.pressureMs - before.pressureMs;
}

/** The most time that the quota can have stopped the sandbox: `throttledMs` counts each CPU for itself. */
function throttledBetween(before: CpuReading, after: CpuReading): number {
  const summedMs = after.throttledMs - before.throttledMs;
  const periods = after.throttledPeriods - before.throttledPeriods;
  return Math.max(0, Math.min(summedMs, periods * CPU_PERIOD_MS));
}

/**
 * The longest that a single thread waited, less all that other threads of the sandbox ran meanwhile: for those it did
 * not wait because of other sandboxes. Exact for one busy thread; too little, never too much, for several.
 */
function waitedForOthers(before: CpuReading, after: CpuReading, usedMs: number): number {
  let longestMs = 0;
  for (const [id, times] of after.threads.times) {
    const then = before.threads.times.get(id) ?? timesOfNew(id, before.threads);
    if (!then) continue;
    const othersRanMs = Math.max(0, usedMs - (times.ranMs - then.ranMs));
    longestMs = Math.max(longestMs, times.waitedMs - then.waitedMs - othersRanMs);
  }
  return longestMs;
}

/** Undefined where the thread may be older than that reading. */
function timesOfNew(id: string, { unread }: Threads): ThreadTimes | undefined {
  const [process = ''] = id.split('/');
  return unread.has(process) ? undefined : { ranMs: 0, waitedMs: 0 };
}
