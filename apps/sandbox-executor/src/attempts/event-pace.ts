/** So many events in a row are not paced; a model's agent does not record as many in a minute. */
export const EVENTS_BURST = 2_000;
export const EVENTS_PER_SECOND = 1_000;

/**
 * The pace of one delivery's events (token bucket): agents without a model could record them faster than all runs
 * together are stored, and the events of other runs would queue behind them. Times are monotonic milliseconds.
 */
export class EventPace {
  private tokens = EVENTS_BURST;

  constructor(private refilledAt: number) {}

  /** Counts an event, which is never refused. */
  take(now: number): void {
    this.refill(now);
    this.tokens -= 1;
  }

  /** How long to wait before the work that records the next event; 0 within the pace. */
  waitMs(now: number): number {
    this.refill(now);
    return Math.max(0, (-this.tokens * 1_000) / EVENTS_PER_SECOND);
  }

  private refill(now: number): void {
    const gained = ((now - this.refilledAt) * EVENTS_PER_SECOND) / 1_000;
    this.tokens = Math.min(EVENTS_BURST, this.tokens + gained);
    this.refilledAt = now;
  }
}
