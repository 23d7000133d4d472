import { describe, expect, test } from '@jest/globals';
import { AttemptEnded } from './attempt-end.js';
import { StageClock } from './stage-clock.js';

/** A clock that a test advances. */
class TestTime {
  private nowMs = 0;
  private sleepers: { until: number; wake: () => void }[] = [];

  readonly monotonic = () => this.nowMs;

  readonly sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      this.sleepers.push({ until: this.nowMs + ms, wake: resolve });
      signal?.addEventListener('abort', () => reject(signal.reason));
    });

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    const due = this.sleepers.filter(({ until }) => until <= this.nowMs);
    this.sleepers = this.sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function stageOf(ms: number) {
  const time = new TestTime();
  const overrun = { because: 'limit', limit: 'time' } as const;
  return { time, stage: new StageClock(time, { ms, overrun, outer: new AbortController().signal }) };
}

describe('the clock of a stage', () => {
  test('the clock of a stage excludes time in which its sandbox was starved of CPU, and ends the stage later by that time', async () => {
    const { time, stage } = stageOf(10_000);
    await time.pass(9_000);
    stage.excludeStarved(6_000);
    expect([stage.elapsedMs, stage.remainingMs(), stage.starvedMs]).toEqual([3_000, 7_000, 6_000]);
    await time.pass(1_500);
    expect(stage.signal.aborted).toBe(false);
    expect(() => stage.check()).not.toThrow();
    await time.pass(5_500);
    expect(() => stage.check()).toThrow(AttemptEnded);
    await time.pass(500);
    expect(stage.signal.reason).toBeInstanceOf(AttemptEnded);
  });

  test('the clock of a stage ends a stage on time where nothing is excluded', async () => {
    const { time, stage } = stageOf(1_000);
    await time.pass(1_499);
    expect(stage.signal.aborted).toBe(false);
    await time.pass(1);
    expect(stage.signal.aborted).toBe(true);
  });

  test('the clock of a stage excludes work of the platform, and still bounds it', async () => {
    const { time, stage } = stageOf(1_000);
    const placed = stage.uncounted(() => time.sleep(800));
    await time.pass(800);
    await placed;
    expect([stage.elapsedMs, stage.starvedMs]).toEqual([0, 0]);
    const stuck = stage.uncounted(() => time.sleep(60_000));
    await time.pass(1_500);
    expect(stage.signal.aborted).toBe(true);
    await time.pass(60_000);
    await stuck;
  });

  test('the clock of a stage is suspended while the platform is waited for, however long that takes', async () => {
    const { time, stage } = stageOf(1_000);
    await time.pass(300);
    const waited = stage.suspendedFor(() => time.sleep(60_000));
    await time.pass(30_000);
    expect([stage.elapsedMs, stage.remainingMs(), stage.signal.aborted]).toEqual([300, 700, false]);
    await time.pass(30_000);
    await waited;
    expect([stage.elapsedMs, stage.signal.aborted]).toEqual([300, false]);
    await time.pass(700 + 500);
    expect(stage.signal.aborted).toBe(true);
  });

  test('the clock of a stage that is stopped ends nothing', async () => {
    const { time, stage } = stageOf(1_000);
    stage.stop();
    await time.pass(60_000);
    expect(stage.signal.aborted).toBe(false);
  });
});
