import { QUERIES_MAX, type QueryLimiter } from '@agentclash/engine';
import { FairLimiter } from '@agentclash/threads';

const WAITING_MAX = 10_000;

/** Gives the queries of agents their turns, fair between workspaces; waiting is not the attempt's time. */
export class FairQueries {
  private readonly limiter = new FairLimiter({ atOnce: QUERIES_MAX, waitingMax: WAITING_MAX });

  of(tenant: string): QueryLimiter {
    return {
      run: (work, { signal, exclude }) =>
        excludingWaits(exclude, (waits) => this.limiter.take({ tenant, signal, ...waits }, work)),
    };
  }
}

/** The interval at which a wait is excluded while it lasts, so that the attempt does not time out meanwhile. */
const EXCLUDE_EVERY_MS = 100;

interface Waits {
  onWait: () => void;
  onSlot: () => void;
}

/** Runs work and excludes its wait in the queue from the attempt's time. */
export async function excludingWaits<T>(
  exclude: (ms: number) => void,
  work: (waits: Waits) => Promise<T>,
): Promise<T> {
  const waiting = new ExcludedWait(exclude);
  try {
    return await work({ onWait: waiting.begin, onSlot: waiting.end });
  } finally {
    waiting.end();
  }
}

/** Excludes the time between its beginning and its end, as it passes. */
class ExcludedWait {
  private timer: NodeJS.Timeout | undefined;
  private since = 0;

  constructor(private readonly exclude: (ms: number) => void) {}

  readonly begin = (): void => {
    this.since = performance.now();
    this.timer = setInterval(this.pass, EXCLUDE_EVERY_MS);
  };

  readonly end = (): void => {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.pass();
  };

  private readonly pass = (): void => {
    const now = performance.now();
    this.exclude(now - this.since);
    this.since = now;
  };
}
