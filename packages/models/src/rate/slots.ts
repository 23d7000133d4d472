import type { SlotOutcome } from '@agentclash/domain';

/** The permission for one try. */
export interface Slot {
  /** `retryAfterMs` is the provider's hint: nothing is admitted to the account until it has passed. */
  release(outcome: SlotOutcome, retryAfterMs?: number): void | Promise<void>;
}

/** The concurrency limit of every provider account, shared by all workers. */
export interface Slots {
  /** Waits for a slot. Rejects with the signal's reason, and with another error when slots are unavailable. */
  acquire(request: { accountId: string; runId: string; signal: AbortSignal }): Promise<Slot>;
}
