import type { Bus } from '@agentclash/bus';
import { ContractError, type In, modelSlots } from '@agentclash/contracts';
import type { SlotOutcome } from '@agentclash/domain';
import { newId } from '../ids.js';

/** Well under the lease of a slot, so that one lost renewal loses no slot. */
const RENEW_EVERY_MS = 10_000;
/** Time in which a call to an unavailable orchestrator is retried. */
const UNAVAILABLE_MS_MAX = 40_000;
const RETRY_PAUSE_MS = 500;

type SlotClaim = In<typeof modelSlots.acquire>;

interface SlotRequestOptions {
  accountId: string;
  /** Slots are granted to waiting runs in rotation. */
  runId: string;
  signal: AbortSignal;
}

/** The permission for one model call. */
interface BusSlot {
  /** Returns at once: a slot whose release is lost expires. */
  release(outcome: SlotOutcome, retryAfterMs?: number): void;
}

/**
 * The slots for model calls that this process holds. The orchestrator grants them, so that all processes share one limit
 * per provider account. One request renews all of them; those of a process that dies expire.
 */
export class BusSlots {
  /** Ids of held and of requested slots. */
  private readonly mine = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: Bus,
    /** The process's name at the orchestrator. */
    private readonly owner: string,
  ) {}

  /** Waits for a slot. Rejects with the signal's reason, and with `unavailable` when the orchestrator is unreachable. */
  async acquire({ accountId, runId, signal }: SlotRequestOptions): Promise<BusSlot> {
    signal.throwIfAborted();
    const { owner } = this;
    const claim: SlotClaim = { provider_account_id: accountId, run_id: runId, slot_id: newId(), owner };
    this.keep(claim.slot_id);
    try {
      await unlessAborted(this.granted(claim, signal), signal);
    } catch (error) {
      this.release(claim, 'failed');
      throw error;
    }
    return { release: (outcome, retryAfterMs) => this.release(claim, outcome, retryAfterMs) };
  }

  /** Repeats the request until the slot is granted or the signal is aborted. */
  private async granted(claim: SlotClaim, signal: AbortSignal): Promise<void> {
    let retryUntil = Date.now() + UNAVAILABLE_MS_MAX;
    while (!signal.aborted) {
      try {
        const { granted } = await this.bus.call(modelSlots.acquire, claim);
        if (granted) return;
        retryUntil = Date.now() + UNAVAILABLE_MS_MAX;
      } catch (error) {
        const mayRetry = error instanceof ContractError && error.isRetryable;
        if (!mayRetry || Date.now() > retryUntil) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  private release(claim: SlotClaim, outcome: SlotOutcome, retryAfterMs?: number): void {
    const { slot_id, owner, provider_account_id } = claim;
    if (!this.mine.delete(slot_id)) return;
    const hint = retryAfterMs === undefined ? {} : { retry_after_ms: Math.ceil(retryAfterMs) };
    const release = { slot_id, owner, provider_account_id, outcome, ...hint };
    // A slot whose release is lost expires.
    this.bus.call(modelSlots.release, release).catch(() => {});
  }

  private keep(slotId: string): void {
    this.mine.add(slotId);
    this.timer ??= setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
  }

  private async renew(): Promise<void> {
    const { owner } = this;
    if (this.mine.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    // A lease outlives one lost renewal, and a call whose slot expired still completes.
    await this.bus.call(modelSlots.renew, { owner, slot_ids: [...this.mine] }).catch(() => {});
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
