/**
 * The work of the code while no call of it runs. Its event loop runs only when that of the tests does, as in one
 * process: then the judge requests the promises that are settled, again and again, and serves the calls of functions of tests.
 */
import { afterEach, beforeEach } from 'node:test';
import { startTimer, stopTimer } from './clock.mjs';

const PAUSE_MS_MIN = 1;
const PAUSE_MS_MAX = 20;
/** Outside of a test (hooks of suites), the code's timers keep the process alive for so many pauses. */
const PAUSES_MAX = 50;

export class Waiting {
  pending = new Map();
  hasFunctions = false;
  isPlanned = false;
  pauseMs = PAUSE_MS_MIN;
  running = 0;
  pauses = 0;

  /** `wait` lets the code run, and returns `{ isIdle, settled }`; undefined when there is no code. */
  constructor(wait) {
    this.wait = wait;
    beforeEach(() => {
      this.running += 1;
    });
    afterEach(() => {
      this.running = Math.max(0, this.running - 1);
      this.pauses = 0;
    });
  }

  /** A promise of the code. */
  promise(id) {
    return new Promise((done, fail) => this.pending.set(id, { done, fail }));
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
