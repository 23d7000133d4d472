import type { Clock } from '../clock.js';
import { type AttemptEnd, AttemptEnded } from './attempt-end.js';

/** Grace period in which operations may end by their own timeouts. */
const GRACE_MS = 500;

/** The time of one stage, without excluded time: it can be read, and it aborts the stage at its deadline. */
export class StageClock {
  private readonly startedAt: number;
  private excluded = 0;
  private starved = 0;
  private suspendedAt: number | undefined;
  private readonly deadline = new AbortController();
  private readonly stopped = new AbortController();
  /** Aborts at the deadline or with the outer signal; its reason is an AttemptEnded. */
  readonly signal: AbortSignal;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
    private readonly stage: { ms: number; overrun: AttemptEnd; outer: AbortSignal },
  ) {
    this.startedAt = clock.monotonic();
    this.signal = AbortSignal.any([stage.outer, this.deadline.signal]);
    this.untilDeadline().then(
      () => this.deadline.abort(new AttemptEnded(stage.overrun)),
      () => undefined,
    );
  }

  /** Time that counts. */
  get elapsedMs(): number {
    const now = this.suspendedAt ?? this.clock.monotonic();
    return now - this.startedAt - this.excluded;
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
    try {
      return await work();
    } finally {
      this.exclude(this.clock.monotonic() - startedAt);
    }
  };

  /** Suspends the clock during work that waits for the platform, however long that takes; not reentrant. */
  readonly suspendedFor = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = this.clock.monotonic();
    this.suspendedAt = startedAt;
    try {
      return await work();
    } finally {
      this.suspendedAt = undefined;
      this.exclude(this.clock.monotonic() - startedAt);
    }
  };

  readonly remainingMs = (): number => Math.max(0, this.stage.ms - this.elapsedMs);

  /** Throws AttemptEnded when the stage has ended. */
  check(): void {
    this.signal.throwIfAborted();
    if (this.remainingMs() === 0) throw new AttemptEnded(this.stage.overrun);
  }

  stop(): void {
    this.stopped.abort();
  }

  private async untilDeadline(): Promise<void> {
    let leftMs = this.stage.ms;
    do {
      await this.clock.sleep(leftMs + GRACE_MS, this.stopped.signal);
      leftMs = this.remainingMs();
    } while (leftMs > 0);
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
