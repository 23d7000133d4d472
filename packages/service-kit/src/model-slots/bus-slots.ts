import type { Bus } from '@agentclash/bus';
import { ContractError, type In, modelSlotEvents, modelSlots } from '@agentclash/contracts';
import type { SlotOutcome } from '@agentclash/domain';
import { newId } from '../ids.js';
import { IDLE_MS, type KeepableSlot, KeptSlots } from './kept-slots.js';

/** Well under the lease of a slot, so that one lost renewal loses no slot. */
const RENEW_EVERY_MS = 10_000;
/** Time in which a call to an unavailable orchestrator is retried. */
const UNAVAILABLE_MS_MAX = 40_000;
const RETRY_PAUSE_MS = 500;
/** The longest time in which a slot serves further calls: limits that are lowered take effect within it. */
const KEPT_MS_MAX = 10_000;

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

interface HeldSlot extends KeepableSlot {
  claim: SlotClaim;
}

/**
 * The slots for model calls that this process holds. The orchestrator grants them, so that all processes share one limit
 * per provider account. One request renews all of them; those of a process that dies expire. A slot is kept for the next
 * calls of its run while no call waits for the account.
 */
export class BusSlots {
  /** Ids of held, kept and requested slots. */
  private readonly mine = new Set<string>();
  private readonly kept = new KeptSlots<HeldSlot>();
  private renewal: NodeJS.Timeout | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private stopListening: (() => void) | undefined;
  private isStopped = false;

  constructor(
    private readonly bus: Bus,
    /** The process's name at the orchestrator. */
    private readonly owner: string,
  ) {}

  /** Waits for a slot. Rejects with the signal's reason, and with `unavailable` when the orchestrator is unreachable. */
  async acquire({ accountId, runId, signal }: SlotRequestOptions): Promise<BusSlot> {
    signal.throwIfAborted();
    const slot =
      this.kept.take({ accountId, runId }, performance.now()) ??
      (await this.request({ accountId, runId, signal }));
    let isReturned = false;
    return {
      release: (outcome, retryAfterMs) => {
        if (isReturned) return;
        isReturned = true;
        this.return(slot, outcome, retryAfterMs);
      },
    };
  }

  /** Releases what no call uses; nothing is kept afterwards. */
  onApplicationShutdown(): void {
    this.isStopped = true;
    this.stopListening?.();
    clearTimeout(this.expiry);
    clearInterval(this.renewal);
    this.releaseUnused(this.kept.clear());
  }

  private async request({ accountId, runId, signal }: SlotRequestOptions): Promise<HeldSlot> {
    const { owner } = this;
    const claim: SlotClaim = { provider_account_id: accountId, run_id: runId, slot_id: newId(), owner };
    this.stopListening ??= this.bus.listen(modelSlotEvents.contended, '', this.onContended);
    this.renewRegularly(claim.slot_id);
    try {
      const usableMs = await unlessAborted(this.granted(claim, signal), signal);
      return { claim, accountId, runId, usableUntil: performance.now() + usableMs };
    } catch (error) {
      this.release(claim, 'failed');
      throw error;
    }
  }

  /**
   * Repeats the request until the slot is granted or the signal is aborted. Returns the time in which the slot may
   * serve further calls: within half of its lease, which began when it was granted.
   */
  private async granted(claim: SlotClaim, signal: AbortSignal): Promise<number> {
    let retryUntil = Date.now() + UNAVAILABLE_MS_MAX;
    while (!signal.aborted) {
      try {
        const reply = await this.bus.call(modelSlots.acquire, claim);
        if (reply.granted) return Math.min(KEPT_MS_MAX, (reply.lease_ms ?? 0) / 2);
        retryUntil = Date.now() + UNAVAILABLE_MS_MAX;
      } catch (error) {
        const mayRetry = error instanceof ContractError && error.isRetryable;
        if (!mayRetry || Date.now() > retryUntil) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
    return 0;
  }

  private return(slot: HeldSlot, outcome: SlotOutcome, retryAfterMs?: number): void {
    const now = performance.now();
    if (outcome === 'success' && !this.isStopped && this.kept.keep(slot, now)) {
      this.expiry ??= setTimeout(this.expire, IDLE_MS).unref();
      return;
    }
    this.release(slot.claim, outcome, retryAfterMs);
    if (outcome === 'rate_limited') this.releaseUnused(this.kept.contend(slot.accountId, now));
  }

  private readonly onContended = ({ provider_account_id }: In<typeof modelSlotEvents.contended>): void => {
    this.releaseUnused(this.kept.contend(provider_account_id, performance.now()));
  };

  private readonly expire = (): void => {
    this.releaseUnused(this.kept.expire(performance.now()));
    this.expiry = this.kept.isEmpty ? undefined : setTimeout(this.expire, IDLE_MS / 2).unref();
  };

  /** The limit must not grow by calls whose number it did not restrict. */
  private releaseUnused(slots: readonly HeldSlot[]): void {
    for (const { claim } of slots) this.release(claim, 'failed');
  }

  private release(claim: SlotClaim, outcome: SlotOutcome, retryAfterMs?: number): void {
    const { slot_id, owner, provider_account_id } = claim;
    if (!this.mine.delete(slot_id)) return;
    const hint = retryAfterMs === undefined ? {} : { retry_after_ms: Math.ceil(retryAfterMs) };
    const release = { slot_id, owner, provider_account_id, outcome, ...hint };
    // A slot whose release is lost expires.
    this.bus.call(modelSlots.release, release).catch(() => {});
  }

  private renewRegularly(slotId: string): void {
    this.mine.add(slotId);
    this.renewal ??= setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
  }

  private async renew(): Promise<void> {
    const { owner } = this;
    if (this.mine.size === 0) {
      clearInterval(this.renewal);
      this.renewal = undefined;
      return;
    }
    // A lease outlives one lost renewal, and a call whose slot expired still completes.
    await this.bus.call(modelSlots.renew, { owner, slot_ids: [...this.mine] }).catch(() => {});
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
