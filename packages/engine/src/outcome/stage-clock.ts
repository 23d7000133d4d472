import type { ExcludedWaits } from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import { type AttemptEnd, AttemptEnded } from './attempt-end.js';

/** Grace period in which operations may end by their own timeouts. */
const GRACE_MS = 500;

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
  private excluded = 0;
  private starved = 0;
  private waited = 0;
  private openWaits = 0;
  private suspendedAt: number | undefined;
  private readonly deadline = new AbortController();
  private readonly stopped = new AbortController();
  /** Aborts at the deadline or with the outer signal; its reason is an AttemptEnded. */
  readonly signal: AbortSignal;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
    private readonly stage: StageLimits,
  ) {
    this.startedAt = clock.monotonic();
    this.signal = AbortSignal.any([stage.outer, this.deadline.signal]);
    this.untilDeadline().then(
      (end) => this.deadline.abort(new AttemptEnded(end)),
      () => undefined,
    );
  }

  /** Time that counts. */
  get elapsedMs(): number {
    const now = this.suspendedAt ?? this.clock.monotonic();
    return now - this.startedAt - this.excluded;
  }

  /** Time in which the stage was suspended, the present wait included. */
  get waitedMs(): number {
    return this.waited + (this.suspendedAt === undefined ? 0 : this.clock.monotonic() - this.suspendedAt);
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

  /** Runs work of the platform, whose time is excluded when it is done. */
  readonly uncounted = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = this.clock.monotonic();
    const waitedBefore = this.waitedMs;
    try {
      return await work();
    } finally {
      const waitedMs = this.waitedMs - waitedBefore;
      this.exclude(this.clock.monotonic() - startedAt - waitedMs);
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
    this.openWaits += 1;
    this.suspendedAt ??= this.clock.monotonic();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.openWaits -= 1;
      if (this.openWaits === 0) this.resume();
    };
  };

  /** The waits of a command that starts now, for its own time limit. */
  excludedWaits(): ExcludedWaits {
    const before = this.waitedMs;
    return { ms: () => this.waitedMs - before, msMax: this.stage.waits?.msMax ?? 0 };
  }

  readonly remainingMs = (): number => Math.max(0, this.stage.ms - this.elapsedMs);

  /** Throws AttemptEnded when the stage has ended. */
  check(): void {
    this.signal.throwIfAborted();
    if (this.remainingMs() === 0) throw new AttemptEnded(this.stage.overrun);
  }

  stop(): void {
    this.stopped.abort();
  }

  private resume(): void {
    const waitedMs = this.clock.monotonic() - (this.suspendedAt ?? 0);
    this.suspendedAt = undefined;
    this.waited += waitedMs;
    this.exclude(waitedMs);
  }

  /** Resolves to the end of a stage that used up its time, or waited for too long. */
  private async untilDeadline(): Promise<AttemptEnd> {
    const { overrun, waits } = this.stage;
    for (;;) {
      const waitLeftMs = waits ? Math.max(0, waits.msMax - this.waitedMs) : Number.POSITIVE_INFINITY;
      await this.clock.sleep(Math.min(this.remainingMs(), waitLeftMs) + GRACE_MS, this.stopped.signal);
      if (this.remainingMs() === 0) return overrun;
      if (waits && this.waitedMs >= waits.msMax) return waits.overrun;
    }
  }
}

/** A signal whose reason is an AttemptEnded: the caller's own, or `cancelled` for a bare abort. */
export function endingSignal(signal: AbortSignal): AbortSignal {
  const ending = new AbortController();
  const onAbort = () => {
    const reason: unknown = signal.reason;
    ending.abort(reason instanceof AttemptEnded ? reason : new AttemptEnded({ because: 'cancelled' }));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return ending.signal;
}
