import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CpuReading, type ThreadTimes, unusedBetween, waitedBetween } from './starvation.js';

const NO_THREADS = { times: new Map<string, ThreadTimes>(), unread: new Set<string>() };

function reading(changes: Partial<CpuReading> = {}): CpuReading {
  const nothing = { atMs: 0, usedMs: 0, throttledMs: 0, throttledPeriods: 0, pressureMs: 0 };
  return { ...nothing, threads: NO_THREADS, ...changes };
}

const threadsOf = (times: ReadonlyMap<string, ThreadTimes>, unread: readonly string[] = []) => ({
  pressureMs: undefined,
  threads: { times, unread: new Set(unread) },
});

/** As the clock of a limit has it. */
function starvedBetween(before: CpuReading, after: CpuReading, cpu: number): number {
  return Math.max(0, Math.min(waitedBetween(before, after), unusedBetween(before, after, cpu)));
}

const START = reading();
const ms = fc.integer({ min: 0, max: 100_000 });
const cpu = fc.double({ min: 0.1, max: 8, noNaN: true });
const later = fc.record({
  atMs: ms,
  usedMs: ms,
  throttledMs: ms,
  throttledPeriods: fc.nat(1_000),
  pressureMs: ms,
});

describe('the time that a sandbox was starved of CPU', () => {
  test('the starved time is the waiting time where one busy thread shares a CPU with others', () => {
    expect(starvedBetween(START, reading({ atMs: 1_000, usedMs: 250, pressureMs: 750 }), 1)).toBe(750);
  });

  test('the starved time is none where the sandbox slept or had all the CPU that it requested', () => {
    expect(starvedBetween(START, reading({ atMs: 1_000, usedMs: 3 }), 1)).toBe(0);
    expect(starvedBetween(START, reading({ atMs: 1_000, usedMs: 1_000 }), 1)).toBe(0);
  });

  test('the starved time excludes the throttling by its own quota, on however many CPUs at once', () => {
    // Four threads use up a quota of one CPU in the first quarter of each period, then the sandbox sleeps.
    const after = reading({
      atMs: 2_000,
      usedMs: 1_000,
      pressureMs: 750,
      throttledMs: 3_000,
      throttledPeriods: 10,
    });
    expect(starvedBetween(START, after, 1)).toBe(0);
  });

  test('the starved time includes delays by others in periods without throttling by its quota', () => {
    const after = reading({
      atMs: 10_000,
      usedMs: 2_000,
      pressureMs: 7_000,
      throttledMs: 4_000,
      throttledPeriods: 10,
    });
    expect(starvedBetween(START, after, 1)).toBe(6_000);
  });

  test('the starved time never lets more CPU through a limit than the quota would alone, whatever was counted', () => {
    fc.assert(
      fc.property(later, cpu, (counts, cpus) => {
        const after = reading(counts);
        const starvedMs = starvedBetween(START, after, cpus);
        expect(starvedMs).toBeGreaterThanOrEqual(0);
        const countedMs = after.atMs - starvedMs;
        if (starvedMs > 0) expect(after.usedMs).toBeLessThanOrEqual(cpus * countedMs + 1e-6);
      }),
    );
  });

  test('the starved time by delays of threads is never more than others took while a thread was ready', () => {
    fc.assert(
      fc.property(schedule(), ({ threads, cpus, ticks }) => {
        const { after, usedMs, takenMs } = simulate(threads, { cpus, ticks });
        const end = reading({ atMs: ticks.length, usedMs, ...threadsOf(after) });
        expect(starvedBetween(START, end, cpus)).toBeLessThanOrEqual(takenMs);
      }),
    );
  });

  test('the starved time of a single busy thread is its delay, where pressure was diluted by a move to another CPU', () => {
    const times = new Map([['7/7', { ranMs: 300, waitedMs: 700 }]]);
    const after = { atMs: 1_000, usedMs: 300 };
    expect(starvedBetween(START, reading({ ...after, ...threadsOf(times) }), 1)).toBe(700);
    const diluted = reading({ ...after, ...threadsOf(times), pressureMs: 350 });
    expect(starvedBetween(START, diluted, 1)).toBe(700);
  });

  test('the starved time excludes the wait of a thread before its first reading', () => {
    const times = new Map([
      ['7/7', { ranMs: 5, waitedMs: 90_000 }],
      ['7/8', { ranMs: 5, waitedMs: 90_000 }],
    ]);
    const before = reading(threadsOf(new Map(), ['7']));
    expect(starvedBetween(before, reading({ atMs: 1_000, usedMs: 10, ...threadsOf(times) }), 1)).toBe(0);
  });
});

interface Tick {
  /** CPUs that others use. */
  taken: number;
  /** Which threads are ready; who of them runs first. */
  ready: boolean[];
  first: number;
}

function schedule() {
  return fc
    .record({ threads: fc.integer({ min: 1, max: 5 }), cpus: fc.integer({ min: 1, max: 3 }) })
    .chain((given) =>
      fc.record({
        threads: fc.constant(given.threads),
        cpus: fc.constant(given.cpus),
        ticks: fc.array(
          fc.record({
            taken: fc.integer({ min: 0, max: given.cpus }),
            ready: fc.array(fc.boolean(), { minLength: given.threads, maxLength: given.threads }),
            first: fc.nat(given.threads - 1),
          }),
          { maxLength: 60 },
        ),
      }),
    );
}

/** Each tick is a millisecond; no CPU is idle while a thread is ready. */
function simulate(threads: number, { cpus, ticks }: { cpus: number; ticks: readonly Tick[] }) {
  const times: ThreadTimes[] = Array.from({ length: threads }, () => ({ ranMs: 0, waitedMs: 0 }));
  let takenMs = 0;
  for (const { taken, ready, first } of ticks) {
    let free = cpus - taken;
    let hasWaited = false;
    for (let n = 0; n < threads; n++) {
      const thread = (first + n) % threads;
      const time = times[thread];
      if (!ready[thread] || !time) continue;
      if (free > 0) time.ranMs += 1;
      else time.waitedMs += 1;
      hasWaited ||= free <= 0;
      free -= 1;
    }
    if (hasWaited && taken > 0) takenMs += 1;
  }
  const usedMs = times.reduce((sum, { ranMs }) => sum + ranMs, 0);
  return { after: new Map(times.map((time, index) => [String(index), time])), usedMs, takenMs };
}
