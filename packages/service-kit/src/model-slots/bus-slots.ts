import type { Bus } from '@agentclash/bus';
import { ContractError, type In, modelSlots, type SlotOutcome } from '@agentclash/contracts';
import { newId } from '../ids.js';

/** Well under the lease of a slot, so that one lost message costs none. */
const RENEW_EVERY_MS = 10_000;
/** How long an orchestrator that is away is waited for before a call is given up. */
const PATIENCE_MS = 40_000;
const RETRY_PAUSE_MS = 500;

type Place = In<typeof modelSlots.acquire>;

interface SlotAsk {
  accountId: string;
  /** Waiting runs take turns. */
  runId: string;
  signal: AbortSignal;
}

/** One call's permission to be on the wire. */
export interface BusSlot {
  /** Returns at once: a slot whose release is lost expires. */
  release(outcome: SlotOutcome, retryAfterMs?: number): void;
}

/**
 * The slots for model calls that this process holds, kept by the orchestrator so that all processes share one limit per
 * provider account. One renewal keeps them all; a process that dies loses them by expiry.
 */
export class BusSlots {
  /** Held ones and those that are waited for. */
  private readonly mine = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: Bus,
    /** The process, as the orchestrator knows it. */
    private readonly owner: string,
  ) {}

  /** Waits for its turn. Rejects with the signal's reason, and with `unavailable` when nobody hands out slots. */
  async acquire({ accountId, runId, signal }: SlotAsk): Promise<BusSlot> {
    signal.throwIfAborted();
    const { owner } = this;
    const place: Place = { provider_account_id: accountId, run_id: runId, slot_id: newId(), owner };
    this.keep(place.slot_id);
    try {
      await unlessAborted(this.granted(place, signal), signal);
    } catch (error) {
      this.release(place, 'failed');
      throw error;
    }
    return { release: (outcome, retryAfterMs) => this.release(place, outcome, retryAfterMs) };
  }

  /** Asks until the slot is there; once the signal is aborted, no more. */
  private async granted(place: Place, signal: AbortSignal): Promise<void> {
    let giveUpAt = Date.now() + PATIENCE_MS;
    while (!signal.aborted) {
      try {
        const { granted } = await this.bus.call(modelSlots.acquire, place);
        if (granted) return;
        giveUpAt = Date.now() + PATIENCE_MS;
      } catch (error) {
        const mayHelp = error instanceof ContractError && error.isRetryable;
        if (!mayHelp || Date.now() > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  private release(place: Place, outcome: SlotOutcome, retryAfterMs?: number): void {
    const { slot_id, owner, provider_account_id } = place;
    if (!this.mine.delete(slot_id)) return;
    const hint = retryAfterMs === undefined ? {} : { retry_after_ms: Math.ceil(retryAfterMs) };
    const release = { slot_id, owner, provider_account_id, outcome, ...hint };
    // What is lost here expires.
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
    // A lease outlives a renewal that is lost, and a call whose slot expired ends all the same.
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
