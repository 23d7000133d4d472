/**
 * The work of the code while no call of it runs. Its event loop runs only when that of the tests does, as in one
 * process: then the judge requests the promises that are settled, again and again, and serves the calls of functions of tests.
 */
import { afterEach, beforeEach } from 'node:test';
import { afterThis, startTimer, stopTimer } from './clock.mjs';

const PAUSE_MS_MIN = 1;
const PAUSE_MS_MAX = 20;
/** Outside of a test (hooks of suites), the code's timers keep the process alive for so many pauses. */
const PAUSES_MAX = 50;
const TURNS_MAX = 20;
const { exit } = process;

export class Waiting {
  pending = new Map();
  hasFunctions = false;
  isPlanned = false;
  pauseMs = PAUSE_MS_MIN;
  running = 0;
  started = 0;
  pauses = 0;

  /** `wait` lets the code run, and returns `{ isIdle, settled }`; undefined when there is no code. */
  constructor(wait) {
    this.wait = wait;
    beforeEach(() => {
      this.running += 1;
      this.started += 1;
    });
    afterEach(() => {
      this.running = Math.max(0, this.running - 1);
      this.pauses = 0;
    });
    process.on('beforeExit', () => this.endIdle());
  }

  /** A promise of the code. */
  promise(id) {
    const ends = {};
    ends.promise = new Promise((done, fail) => Object.assign(ends, { done, fail }));
    this.pending.set(id, ends);
    return ends.promise;
  }

  /** The code was called: what it has left to do is next, after what the test does at this time. */
  plan() {
    if (this.isPlanned) return;
    this.isPlanned = true;
    this.pauseMs = PAUSE_MS_MIN;
    queueMicrotask(() => this.serve());
  }

  serve() {
    this.isPlanned = false;
    let result;
    try {
      result = this.wait();
    } catch (error) {
      for (const { fail } of this.pending.values()) fail(error);
      return this.pending.clear();
    }
    if (result === undefined) return undefined;
    for (const { id, name, value } of result.settled) {
      this.pending.get(id)?.[name](value);
      this.pending.delete(id);
    }
    return this.pause(result.isIdle);
  }

  /** Neither the tests nor the code have anything left to do: versions of Node differ in whether they wait for ever then. */
  endIdle() {
    if (this.pending.size === 0) return this.leave(this.started, TURNS_MAX);
    for (const { fail, promise } of this.pending.values()) {
      promise.catch(() => {});
      fail(
        new Error('agentclash-grade: this promise can no longer be settled: the code has nothing left to do'),
      );
    }
    this.pending.clear();
    return afterThis(() => {});
  }

  /** A test that waits for a callback has no other end than that of its file. */
  leave(started, turns) {
    if (this.running === 0 || this.started !== started || this.pending.size > 0) return;
    if (turns === 0) exit(1);
    afterThis(() => this.leave(started, turns - 1));
  }

  /** Where the code has nothing left to do, this does not keep the process of the tests alive. */
  pause(isIdle) {
    stopTimer(this.timer);
    this.timer = startTimer(() => this.serve(), this.pauseMs);
    this.pauseMs = Math.min(2 * this.pauseMs, PAUSE_MS_MAX);
    if (this.running === 0) this.pauses += 1;
    const isAwaited = this.pending.size > 0 || (this.hasFunctions && this.pauses < PAUSES_MAX);
    if (isIdle || !isAwaited) this.timer.unref();
  }
}
