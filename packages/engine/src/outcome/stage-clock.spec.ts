import { getEventListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { AttemptEnded } from './attempt-end.js';
import { EndingSignal, StageClock } from './stage-clock.js';

/** A clock that a test advances. */
class TestTime {
  delayedMs = 70;
  private nowMs = 0;
  private sleepers: { until: number; wake: () => void }[] = [];

  readonly monotonic = () => this.nowMs;
  readonly delayed = () => this.delayedMs;

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

const WAITED = { because: 'infra', code: 'account_wait' } as const;

function stageOf(ms: number, waitMsMax?: number) {
  const time = new TestTime();
  const overrun = { because: 'limit', limit: 'time' } as const;
  const outer = new AbortController().signal;
  const waits = waitMsMax === undefined ? {} : { waits: { msMax: waitMsMax, overrun: WAITED } };
  return { time, stage: new StageClock(time, { ms, overrun, outer, ...waits }) };
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

  test('the clock of a stage excludes work of the platform, also of more than its time, and ends what never ends as an error of the platform', async () => {
    const { time, stage } = stageOf(1_000);
    const placed = stage.uncounted(() => time.sleep(20_000));
    for (let second = 0; second < 20; second += 1) await time.pass(1_000);
    await placed;
    expect([stage.elapsedMs, stage.starvedMs, stage.signal.aborted]).toEqual([0, 0, false]);
    const stuck = stage.uncounted(() => time.sleep(110_000));
    for (let second = 0; second < 101; second += 1) await time.pass(1_000);
    const reason = { end: { because: 'infra', code: 'platform_timeout' } };
    expect([stage.elapsedMs, stage.signal.reason]).toMatchObject([0, reason]);
    await time.pass(9_000);
    await stuck;
  });

  test('the clock of a stage ends a stage later by the time in which this process had no CPU, up to ten times its own', async () => {
    const { time, stage } = stageOf(1_000);
    await time.pass(900);
    time.delayedMs += 700;
    expect([stage.elapsedMs, stage.remainingMs()]).toEqual([200, 800]);
    await time.pass(600);
    expect([stage.remainingMs(), stage.signal.aborted]).toEqual([200, false]);
    const endCommand = stage.beginCommand();
    time.delayedMs += 5_000;
    expect(stage.remainingMs()).toBe(200);
    endCommand();
    await time.pass(700);
    expect(stage.signal.reason).toMatchObject({ end: { because: 'limit', limit: 'time' } });
    const second = stageOf(1_000);
    second.time.delayedMs += 1_000_000;
    await second.time.pass(11_200);
    expect(second.stage.remainingMs()).toBe(0);
  });

  test('the clock of a stage ends no stage at the moment that this process wakes up late, and has not read what ended meanwhile', async () => {
    const { time, stage } = stageOf(1_000);
    await time.pass(3_000);
    expect([stage.remainingMs(), stage.signal.aborted]).toEqual([0, false]);
    stage.excludeStarved(2_900);
    await time.pass(500);
    expect([stage.remainingMs(), stage.signal.aborted]).toEqual([400, false]);
    await time.pass(900);
    expect(stage.signal.reason).toMatchObject({ end: { because: 'limit', limit: 'time' } });
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

  test('the clock of a stage counts waits at the same time once, and each until its end', async () => {
    const { time, stage } = stageOf(1_000, 60_000);
    await time.pass(200);
    const { ms: waitedMs } = stage.excludedWaits();
    const endFirst = stage.beginWait();
    await time.pass(5_000);
    const endSecond = stage.beginWait();
    await time.pass(5_000);
    endFirst();
    endFirst();
    await time.pass(5_000);
    expect([stage.elapsedMs, stage.waitedMs, waitedMs()]).toEqual([200, 15_000, 15_000]);
    endSecond();
    await time.pass(300);
    const endThird = stage.beginWait();
    await time.pass(2_000);
    expect([stage.elapsedMs, stage.waitedMs, stage.signal.aborted]).toEqual([500, 17_000, false]);
    endThird();
    await time.pass(500);
    expect(() => stage.check()).toThrow(AttemptEnded);
    await time.pass(500);
    expect(stage.signal.reason).toMatchObject({ end: { because: 'limit', limit: 'time' } });
  });

  test('the clock of a stage ends a stage that waits for longer than it may in total, and not as its own limit', async () => {
    const { time, stage } = stageOf(1_000, 60_000);
    stage.beginWait()();
    stage.beginWait();
    for (let second = 0; second < 60; second += 1) await time.pass(1_000);
    await time.pass(500);
    expect(stage.elapsedMs).toBe(0);
    await time.pass(1_500);
    expect(stage.signal.reason).toMatchObject({ end: WAITED });
  });

  test('the clock of a stage excludes a wait within work of the platform once', async () => {
    const { time, stage } = stageOf(10_000, 60_000);
    const placed = stage.uncounted(() => time.sleep(800));
    const end = stage.beginWait();
    await time.pass(800);
    await placed;
    end();
    await time.pass(100);
    expect(stage.elapsedMs).toBe(100);
  });

  test('the clock of a stage that is stopped ends nothing', async () => {
    const { time, stage } = stageOf(1_000);
    stage.stop();
    await time.pass(60_000);
    expect(stage.signal.aborted).toBe(false);
  });
});

describe('the signal of an attempt', () => {
  test('a bare abort of the caller cancels it', () => {
    const outer = new AbortController();
    const { signal } = new EndingSignal(outer.signal);
    outer.abort();
    expect(signal.reason).toMatchObject({ end: { because: 'cancelled' } });
  });

  test('a signal that is aborted already cancels it at once', () => {
    expect(new EndingSignal(AbortSignal.abort()).signal.aborted).toBe(true);
  });

  test('the caller keeps nothing of it once it is released', () => {
    const { signal: outer } = new AbortController();
    const endings = Array.from({ length: 3 }, () => new EndingSignal(outer));
    expect(getEventListeners(outer, 'abort')).toHaveLength(3);
    for (const ending of endings) ending.release();
    expect(getEventListeners(outer, 'abort')).toEqual([]);
  });
});
