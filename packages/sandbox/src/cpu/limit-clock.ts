import { type CpuReading, starvedBetween } from './starvation.js';

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
 * The time limit of one command, without the time in which it could not run: read when it starts, at intervals,
 * and when the limit expires, which moves it. Calls `onOver` once, when the limit or the longest extension is used up.
 */
export class LimitClock {
  readonly #startedAt = performance.now();
  #last: CpuReading | undefined;
  #starvedMs = 0;
  #readAt = this.#startedAt;
  #waitedMs = 0;
  #isBeyondBound = false;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly meter: CpuMeter,
    private readonly options: LimitClockOptions,
    private readonly onOver: () => void,
  ) {
    this.#last = meter.begin();
    this.#timer = this.#schedule(options.limitMs);
  }

  /** The time without CPU that the limit has excluded so far. */
  get starvedMs(): number {
    return this.#starvedMs;
  }

  /** True when the longest extension was used up before the limit was. */
  get isBeyondBound(): boolean {
    return this.#isBeyondBound;
  }

  /** The command has ended. Idempotent. */
  stop(): void {
    clearTimeout(this.#timer);
    if (performance.now() - this.#startedAt >= NOTICED_MS) this.#read();
    this.#last = undefined;
  }

  #check(): void {
    this.#read();
    const countedMs = performance.now() - this.#startedAt - this.#starvedMs - this.#waitedMs;
    const leftMs = this.options.limitMs - countedMs;
    this.#isBeyondBound = leftMs > 0 && this.#starvedMs > this.options.starvedMsMax;
    if (leftMs <= 0 || this.#isBeyondBound) this.onOver();
    else this.#timer = this.#schedule(Math.max(STEP_MS, leftMs));
  }

  #schedule(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), Math.ceil(Math.min(INTERVAL_MS, ms)));
  }

  #read(): void {
    const countedMs = this.#countedSinceRead();
    const now = this.#last && this.meter.read();
    if (this.#last && now) {
      const starvedMs = Math.min(starvedBetween(this.#last, now, this.options.cpu), countedMs);
      this.#starvedMs += starvedMs;
      if (starvedMs > 0) this.options.onStarved?.(this.#starvedMs);
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
