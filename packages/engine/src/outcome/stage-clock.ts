import type { ExcludedWaits } from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import { type AttemptEnd, AttemptEnded } from './attempt-end.js';

/** Grace period in which operations may end by their own timeouts. */
const GRACE_MS = 500;
/** How often in a row the deadline is put off because this process woke up late, without CPU to read what has ended. */
const LATE_MAX = 20;
/** The longest extension of a stage for want of CPU of this process, as a multiple of its time. */
const DELAYED_MAX = 10;
/** The most time in total that work of the platform in one stage may take. */
const PLATFORM_MS_MAX = 120_000;
/** Of every stage that stops: an exception of its own would capture a stack each time. */
const STOPPED = new Error('the stage has ended');
const PLATFORM_OVERRUN = {
  because: 'infra',
  code: 'platform_timeout',
  message: 'the platform took too long to write or read files of the attempt',
} as const satisfies AttemptEnd;

interface StageLimits {
  ms: number;
  /** The end of a stage that used up its time. */
  overrun: AttemptEnd;
  outer: AbortSignal;
  /** The limit of its waits in total, and the end beyond it; default: none. */
  waits?: { msMax: number; overrun: AttemptEnd };
}

/** The time of one stage, without excluded time: it can be read, and it aborts the stage at its deadline. */
export class StageClock {
  private readonly startedAt: number;
  private delayed = 0;
  private delayedBefore: number;
  /** Suspensions and commands: the former leave all time out, the latter measure it. */
  private readonly measured = new Overlaps();
  private excluded = 0;
  private starved = 0;
  private waited = 0;
  private worked = 0;
  private readonly waits = new Overlaps();
  private readonly work = new Overlaps();
  private readonly suspensions = new Overlaps();
  private readonly deadline = new AbortController();
  private readonly stopped = new AbortController();
  /** Aborts at the deadline or with the outer signal; its reason is an AttemptEnded. */
  readonly signal: AbortSignal;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'delayed' | 'sleep'>,
    private readonly stage: StageLimits,
  ) {
    this.startedAt = clock.monotonic();
    this.delayedBefore = clock.delayed?.() ?? 0;
    this.signal = AbortSignal.any([stage.outer, this.deadline.signal]);
    this.untilDeadline().then(
      (end) => this.deadline.abort(new AttemptEnded(end)),
      () => undefined,
    );
  }

  /** Time that counts. */
  get elapsedMs(): number {
    const now = this.suspensions.since ?? this.clock.monotonic();
    return Math.max(0, now - this.startedAt - this.excluded - this.delayedMs);
  }

  /** Time in which the stage was suspended, the present wait included. */
  get waitedMs(): number {
    const now = this.clock.monotonic();
    return this.waited + now - (this.waits.since ?? now);
  }

  private get workedMs(): number {
    const now = this.clock.monotonic();
    return this.worked + now - (this.work.since ?? now);
  }

  get starvedMs(): number {
    return this.starved;
  }

  /** Leaves time out that has passed in this stage. */
  readonly exclude = (ms: number): void => {
    this.excluded += ms;
  };

  /** The same, of time in which its sandbox was starved of CPU. */
  readonly excludeStarved = (ms: number): void => {
    this.starved += ms;
    this.exclude(ms);
  };

  /** Suspends the clock during work of the platform. The stage ends, as an error of the platform, when that takes too long. */
  readonly uncounted = async <T>(work: () => Promise<T>): Promise<T> => {
    const resume = this.suspend();
    this.work.begin(this.clock.monotonic());
    try {
      return await work();
    } finally {
      this.worked += this.work.end(this.clock.monotonic());
      resume();
    }
  };

  /** Suspends the clock during work that waits for the platform, however long that takes. */
  readonly suspendedFor = async <T>(work: () => Promise<T>): Promise<T> => {
    const end = this.beginWait();
    try {
      return await work();
    } finally {
      end();
    }
  };

  /**
   * Suspends the clock until the returned function is called. Waits at the same time count once. The stage ends when
   * they exceed their limit in total, if it has one.
   */
  readonly beginWait = (): (() => void) => {
    const resume = this.suspend();
    this.waits.begin(this.clock.monotonic());
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.waited += this.waits.end(this.clock.monotonic());
      resume();
    };
  };

  /** The waits of a command that starts now, for its own time limit. */
  excludedWaits(): ExcludedWaits {
    const before = this.waitedMs;
    return { ms: () => this.waitedMs - before, msMax: this.stage.waits?.msMax ?? 0 };
  }

  readonly remainingMs = (): number => Math.max(0, this.stage.ms - this.elapsedMs);

  /** A command runs, whose own clock measures what it was starved of, until the returned function is called. */
  readonly beginCommand = (): (() => void) => {
    if (this.measured.since === undefined) this.delayed = this.delayedMs;
    this.measured.begin(this.clock.monotonic());
    return () => {
      this.measured.end(this.clock.monotonic());
      this.delayedBefore = this.clock.delayed?.() ?? 0;
    };
  };

  /** Time in which this process had no CPU and nothing else measured it: no agent can use that. */
  private get delayedMs(): number {
    const sinceMs =
      this.measured.since === undefined ? (this.clock.delayed?.() ?? 0) - this.delayedBefore : 0;
    return Math.min(this.delayed + sinceMs, DELAYED_MAX * this.stage.ms);
  }

  /** Throws AttemptEnded when the stage has ended. */
  check(): void {
    this.signal.throwIfAborted();
    if (this.remainingMs() === 0) throw new AttemptEnded(this.stage.overrun);
  }

  stop(): void {
    this.stopped.abort(STOPPED);
  }

  private suspend(): () => void {
    const endMeasured = this.beginCommand();
    this.suspensions.begin(this.clock.monotonic());
    return () => {
      this.exclude(this.suspensions.end(this.clock.monotonic()));
      endMeasured();
    };
  }

  /** Resolves to the end of a stage that used up its time, waited for too long, or was held up by the platform. */
  private async untilDeadline(): Promise<AttemptEnd> {
    for (let late = 0; ; ) {
      const ms = Math.min(this.remainingMs(), this.waitLeftMs(), PLATFORM_MS_MAX - this.workedMs);
      const dueAt = this.clock.monotonic() + Math.max(0, ms) + GRACE_MS;
      await this.clock.sleep(dueAt - this.clock.monotonic(), this.stopped.signal);
      late = this.clock.monotonic() - dueAt > GRACE_MS ? late + 1 : 0;
      const end = this.endOfTime();
      if (end && (late === 0 || late > LATE_MAX)) return end;
    }
  }

  private waitLeftMs(): number {
    const { waits } = this.stage;
    return waits ? waits.msMax - this.waitedMs : Number.POSITIVE_INFINITY;
  }

  private endOfTime(): AttemptEnd | undefined {
    const { overrun, waits } = this.stage;
    if (this.remainingMs() === 0) return overrun;
    if (waits && this.waitLeftMs() <= 0) return waits.overrun;
    return this.workedMs >= PLATFORM_MS_MAX ? PLATFORM_OVERRUN : undefined;
  }
}

/** Spans of time that may overlap, and count once. */
class Overlaps {
  since: number | undefined;
  private open = 0;

  begin(at: number): void {
    this.open += 1;
    this.since ??= at;
  }

  /** Returns the time of all of them once the last has ended, else 0. */
  end(at: number): number {
    this.open -= 1;
    if (this.open > 0) return 0;
    const ms = at - (this.since ?? at);
    this.since = undefined;
    return ms;
  }
}

/** A signal whose reason is an AttemptEnded: the caller's own, or `cancelled` for a bare abort. */
export class EndingSignal {
  private readonly ending = new AbortController();

  constructor(private readonly outer: AbortSignal) {
    if (outer.aborted) this.onAbort();
    else outer.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Nothing needs the signal any more: the caller's, of which a whole run may have one, does not keep it. */
  release(): void {
    this.outer.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = () => {
    const reason: unknown = this.outer.reason;
    this.ending.abort(reason instanceof AttemptEnded ? reason : new AttemptEnded({ because: 'cancelled' }));
  };
}
