import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type CpuMeter, LimitClock, type LimitClockOptions } from './limit-clock.js';
import type { CpuReading } from './starvation.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A sandbox with one busy thread that gets this share of a CPU. */
class SharedCpu implements CpuMeter {
  reads = 0;
  share: number;
  #at = performance.now();
  #used = 0;
  #waited = 0;

  constructor(share: number) {
    this.share = share;
  }

  begin(): CpuReading {
    return this.read();
  }

  read(): CpuReading {
    this.reads += 1;
    const elapsed = performance.now() - this.#at;
    this.#at += elapsed;
    this.#used += elapsed * this.share;
    this.#waited += elapsed * (1 - this.share);
    const threads = { times: new Map(), unread: new Set<string>() };
    const counted = { usedMs: this.#used, throttledMs: 0, throttledPeriods: 0, pressureMs: this.#waited };
    return { atMs: this.#at, ...counted, threads };
  }
}

function requested(meter: CpuMeter, changes: Partial<LimitClockOptions> = {}) {
  const over: number[] = [];
  const requestedAt = performance.now();
  const options = { limitMs: 500, starvedMsMax: 5_000, cpu: 1, ...changes };
  const clock = new LimitClock(meter, options, () => over.push(performance.now() - requestedAt));
  return { clock, over };
}

function started(meter: CpuMeter, changes: Partial<LimitClockOptions> = {}) {
  const { clock, over } = requested(meter, changes);
  clock.started();
  return { clock, over };
}

describe('the time limit of a command', () => {
  test('the time limit expires on time where nothing was starved, and is read seldom', () => {
    const cpu = new SharedCpu(1);
    const { clock, over } = started(cpu);
    jest.advanceTimersByTime(2_000);
    expect(over).toEqual([500]);
    expect([cpu.reads, clock.starvedMs, clock.isBeyondBound]).toEqual([4, 0, false]);
  });

  test('a command that ends at once costs one reading', () => {
    const cpu = new SharedCpu(1);
    const { clock, over } = started(cpu);
    jest.advanceTimersByTime(3);
    clock.stop();
    jest.advanceTimersByTime(2_000);
    expect([cpu.reads, over]).toEqual([1, []]);
  });

  test('the time limit allows as much CPU at a quarter of a CPU as at a whole one', () => {
    const { clock, over } = started(new SharedCpu(0.25));
    jest.advanceTimersByTime(10_000);
    expect(over).toHaveLength(1);
    expect((over[0] ?? 0) * 0.25).toBeGreaterThanOrEqual(500);
    expect((over[0] ?? 0) * 0.25).toBeLessThan(505);
    expect(clock.isBeyondBound).toBe(false);
  });

  test('the time limit counts each phase of a sandbox by the starvation in that phase', () => {
    const cpu = new SharedCpu(1);
    const { over } = started(cpu, { limitMs: 3_000 });
    jest.advanceTimersByTime(2_000);
    cpu.share = 0.5;
    jest.advanceTimersByTime(10_000);
    expect(over[0]).toBeGreaterThanOrEqual(4_000);
    expect(over[0]).toBeLessThan(4_020);
  });

  test('a command beyond the bound ends as starved, not as used up', () => {
    const { clock, over } = started(new SharedCpu(0.01), { starvedMsMax: 2_000 });
    jest.advanceTimersByTime(60_000);
    expect(over).toHaveLength(1);
    expect(over[0]).toBeLessThan(3_000);
    expect(clock.isBeyondBound).toBe(true);
  });

  test('the time limit leaves out waits for the platform, with or without readings of the CPU', () => {
    const unread: CpuMeter = { begin: () => undefined, read: () => undefined };
    for (const meter of [new SharedCpu(1), unread]) {
      const startedAt = performance.now();
      // From 100 ms after the start, for 3 s.
      const waitedMs = () => Math.min(3_000, Math.max(0, performance.now() - startedAt - 100));
      const { over } = started(meter, { waitedMs });
      jest.advanceTimersByTime(10_000);
      expect(over).toHaveLength(1);
      expect(over[0]).toBeGreaterThanOrEqual(3_500);
      expect(over[0]).toBeLessThan(3_510);
    }
  });

  test('the time limit leaves out starvation during a wait once', () => {
    const startedAt = performance.now();
    const waitedMs = () => Math.min(3_000, performance.now() - startedAt);
    const cpu = new SharedCpu(0);
    const { clock, over } = started(cpu, { waitedMs });
    jest.advanceTimersByTime(3_000);
    cpu.share = 1;
    jest.advanceTimersByTime(10_000);
    expect(clock.starvedMs).toBe(0);
    expect(over[0]).toBeGreaterThanOrEqual(3_500);
    expect(over[0]).toBeLessThan(3_510);
  });

  test('the time limit is of wall time where nothing can be read any more', () => {
    const { clock, over } = started({ begin: () => undefined, read: () => undefined });
    jest.advanceTimersByTime(2_000);
    expect([over, clock.starvedMs]).toEqual([[500], 0]);
  });

  test('the time limit reports its excluded time when it grows, the last time when the command has ended', () => {
    const reported: number[] = [];
    const onStarved = (starvedMs: number) => void reported.push(Math.round(starvedMs));
    const { clock } = started(new SharedCpu(0.5), { limitMs: 60_000, onStarved, starvedMsMax: 60_000 });
    jest.advanceTimersByTime(2_500);
    clock.stop();
    expect(reported.slice(0, 3)).toEqual([100, 200, 300]);
    expect(reported.at(-1)).toBe(1_250);
    expect(clock.starvedMs).toBe(1_250);
  });

  /** A sandbox that sleeps: it neither uses CPU nor waits for one. */
  const idle = () => {
    const cpu = new SharedCpu(0);
    const read = () => ({ ...cpu.read(), pressureMs: 0 });
    return { begin: read, read };
  };

  test('the time limit excludes the time until the command starts, and counts from then', () => {
    const { clock, over } = requested(idle());
    jest.advanceTimersByTime(3_000);
    clock.started();
    jest.advanceTimersByTime(400);
    expect([over, clock.starvedMs]).toEqual([[], 3_000]);
    jest.advanceTimersByTime(1_000);
    expect(over).toEqual([3_500]);
  });

  test('the time until the start is not excluded where the sandbox used its CPU meanwhile', () => {
    const { clock, over } = requested(new SharedCpu(1));
    jest.advanceTimersByTime(3_000);
    clock.started();
    jest.advanceTimersByTime(100);
    expect([over, clock.starvedMs]).toEqual([[3_005], 0]);
  });

  test('the time limit counts a command that has not started in ten seconds as one that has', () => {
    const { over } = requested(idle(), { starvedMsMax: 60_000 });
    jest.advanceTimersByTime(30_000);
    expect(over).toHaveLength(1);
    expect(over[0]).toBeGreaterThanOrEqual(10_500);
    expect(over[0]).toBeLessThan(10_800);
  });

  test('the time from the end of a command until it is noticed is excluded', () => {
    const { clock, over } = started(idle(), { limitMs: 10_000 });
    jest.advanceTimersByTime(3_000);
    clock.stop(200);
    expect([over, clock.starvedMs]).toEqual([[], 2_800]);
  });

  test('the time after its end is not excluded of a command whose sandbox used its CPU meanwhile', () => {
    const { clock } = started(new SharedCpu(1), { limitMs: 10_000 });
    jest.advanceTimersByTime(3_000);
    clock.stop(200);
    expect(clock.starvedMs).toBe(0);
  });
});
