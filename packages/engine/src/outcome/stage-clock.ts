import type { Clock } from '../clock.js';
import { type AttemptEnd, AttemptEnded } from './attempt-end.js';

/** What is under way gets this long to end by its own timeout before it is cut off. */
const GRACE_MS = 500;

/** One stage's time, without what was excluded: it can be read, and it ends the stage from outside. */
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

  /** Does work of the platform's own, whose time is left out once it is done. */
  readonly uncounted = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = this.clock.monotonic();
    try {
      return await work();
    } finally {
      this.exclude(this.clock.monotonic() - startedAt);
    }
  };

  /** Stands still during work that waits for the platform, however long that takes; not for use at once with itself. */
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

  /** Throws AttemptEnded when the stage is over. */
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
