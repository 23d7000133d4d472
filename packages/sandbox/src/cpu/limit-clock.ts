import { type CpuReading, unusedBetween, waitedBetween } from './starvation.js';

/** Reads the CPU accounting of a sandbox from outside of it. */
export interface CpuMeter {
  /** Without the times of threads. Undefined once the sandbox is gone. Cheap: every command with a limit starts with it. */
  begin(): CpuReading | undefined;
  read(): CpuReading | undefined;
}

/** How often a long command is looked at: what it was starved of is counted within each interval apart. */
const INTERVAL_MS = 200;
/** As a limit comes near, the clock is read no more often than this. */
const STEP_MS = 5;
/** A command that ended sooner has no starvation worth a reading. */
const NOTICED_MS = 20;
/** The time that the platform takes on any machine to start a command, or to notice its end: no reason to extend a limit. */
const PLATFORM_NOTICED_MS = 50;
/** A command that has not started by then is counted as if it had: others of its sandbox may prevent it. As in `native/tasks.c`. */
export const START_MS_MAX = 10_000;

export interface LimitClockOptions {
  limitMs: number;
  /** The longest that the limit may be extended. */
  starvedMsMax: number;
  /** Quota of the sandbox, in CPUs. */
  cpu: number;
  /** Called with the whole of it when there is more. */
  onStarved?: ((starvedMs: number) => void) | undefined;
  /** The time since the start in which the command waited for the platform, which the limit excludes. */
  waitedMs?: (() => number) | undefined;
}

/**
 * The time limit of one command, without the time in which it could not run: read when it is requested, when it starts,
 * at intervals, and when the limit expires, which moves it. The time from the request to the start and from the end to
 * the stop is the platform's, but for CPU that the sandbox used meanwhile. Calls `onOver` once, when the limit or the longest extension is used up.
 */
export class LimitClock {
  readonly #startedAt = performance.now();
  readonly #first: CpuReading | undefined;
  #last: CpuReading | undefined;
  #excludableMs = 0;
  #starvedMs = 0;
  #readAt = this.#startedAt;
  #waitedMs = 0;
  #isBeyondBound = false;
  #startMs: number | undefined;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly meter: CpuMeter,
    private readonly options: LimitClockOptions,
    private readonly onOver: () => void,
  ) {
    this.#first = meter.begin();
    this.#last = this.#first;
    this.#timer = this.#schedule(options.limitMs);
  }

  /** The time without CPU, or of the platform, that the limit has excluded so far. */
  get starvedMs(): number {
    return this.#starvedMs;
  }

  /** True when the longest extension was used up before the limit was. */
  get isBeyondBound(): boolean {
    return this.#isBeyondBound;
  }

  /** The command runs. Idempotent. */
  started(): void {
    if (this.#startMs !== undefined) return;
    this.#begin();
    clearTimeout(this.#timer);
    this.#timer = this.#schedule(Math.max(STEP_MS, this.#leftMs));
  }

  /** The command has ended; `ranMs`: the time from its start to its end, where that is known. Idempotent. */
  stop(ranMs?: number): void {
    clearTimeout(this.#timer);
    const elapsedMs = performance.now() - this.#startedAt;
    const endMs = ranMs === undefined ? 0 : elapsedMs - ranMs - (this.#startMs ?? 0);
    if (elapsedMs >= NOTICED_MS) this.#read(endMs >= PLATFORM_NOTICED_MS ? endMs : 0);
    this.#last = undefined;
  }

  get #leftMs(): number {
    return this.options.limitMs - (performance.now() - this.#startedAt - this.#starvedMs - this.#waitedMs);
  }

  #begin(): void {
    this.#startMs = performance.now() - this.#startedAt;
    if (this.#startMs >= PLATFORM_NOTICED_MS) this.#read(this.#startMs);
  }

  #check(): void {
    if (this.#startMs === undefined && performance.now() - this.#startedAt < START_MS_MAX) {
      this.#timer = this.#schedule(INTERVAL_MS);
      return;
    }
    if (this.#startMs === undefined) this.#begin();
    this.#read();
    const leftMs = this.#leftMs;
    this.#isBeyondBound = leftMs > 0 && this.#starvedMs > this.options.starvedMsMax;
    if (leftMs <= 0 || this.#isBeyondBound) this.onOver();
    else this.#timer = this.#schedule(Math.max(STEP_MS, leftMs));
  }

  #schedule(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), Math.ceil(Math.min(INTERVAL_MS, ms)));
  }

  /** `platformMs`: what the platform took, as it is known now. */
  #read(platformMs = 0): void {
    const countedMs = this.#countedSinceRead();
    const now = this.#last && this.meter.read();
    if (this.#first && this.#last && now) {
      this.#excludableMs += Math.min(waitedBetween(this.#last, now), countedMs) + platformMs;
      // Since the request: the kernel counts the wait of a thread when it ends, which may be some intervals later.
      const unusedMs = unusedBetween(this.#first, now, this.options.cpu) - this.#waitedMs;
      const starvedMs = Math.min(this.#excludableMs, unusedMs);
      if (starvedMs > this.#starvedMs) {
        this.#starvedMs = starvedMs;
        this.options.onStarved?.(starvedMs);
      }
    }
    this.#last = now;
  }

  /** The time since the last reading that no wait excludes; without waits unbounded. */
  #countedSinceRead(): number {
    const waitedMs = this.options.waitedMs?.() ?? 0;
    const now = performance.now();
    const waitedSinceMs = waitedMs - this.#waitedMs;
    const passedMs = now - this.#readAt;
    this.#readAt = now;
    this.#waitedMs = waitedMs;
    return waitedSinceMs > 0 ? Math.max(0, passedMs - waitedSinceMs) : Number.POSITIVE_INFINITY;
  }
}
