/** How a try that held a slot ended: `rate_limited` is a 429 or 529. */
export type SlotOutcome = 'success' | 'rate_limited' | 'failed';

/** One try's permission to be on the wire. */
export interface Slot {
  /** `retryAfterMs` is the provider's hint: nothing is admitted to the account until it has passed. */
  release(outcome: SlotOutcome, retryAfterMs?: number): void | Promise<void>;
}

/** The concurrency limit of every provider account, shared by all workers. */
export interface Slots {
  /** Waits for its turn. Rejects with the signal's reason, and with anything else when no slot can be had at all. */
  acquire(ask: { accountId: string; runId: string; signal: AbortSignal }): Promise<Slot>;
}
