import type { Bus } from '@agentclash/bus';
import { ContractError, modelSlots, type SlotOutcome } from '@agentclash/contracts';
import { newId } from '../ids.js';

/** Well under the lease of a slot, so that one lost message costs none. */
const RENEW_EVERY_MS = 10_000;
/** How long an orchestrator that is away is waited for before a call is given up. */
const PATIENCE_MS = 40_000;
const RETRY_PAUSE_MS = 500;

interface SlotAsk {
  accountId: string;
  runId: string;
  signal: AbortSignal;
}

/** One call's permission to be on the wire. */
export interface BusSlot {
  /** Returns at once: a release that is lost is made good by the next renewal. */
  release(outcome: SlotOutcome, retryAfterMs?: number): void;
}

/**
 * The slots for model calls that this process holds, kept by the orchestrator so that all processes share one limit per
 * provider account. One renewal keeps them all; a process that dies loses them by expiry.
 */
export class BusSlots {
  /** Held ones and those that are asked for. */
  private readonly mine = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: Bus,
    /** The process, as the orchestrator knows it. */
    private readonly owner: string,
  ) {}

  /** The slots as calls of one workspace ask for them. */
  ofWorkspace(workspaceId: string): { acquire(ask: SlotAsk): Promise<BusSlot> } {
    return { acquire: (ask) => this.acquire(workspaceId, ask) };
  }

  private async acquire(workspaceId: string, ask: SlotAsk): Promise<BusSlot> {
    ask.signal.throwIfAborted();
    const slotId = newId();
    this.keep(slotId);
    try {
      await unlessAborted(this.granted(workspaceId, { ...ask, slotId }), ask.signal);
    } catch (error) {
      this.release(slotId, 'failed');
      throw error;
    }
    return { release: (outcome, retryAfterMs) => this.release(slotId, outcome, retryAfterMs) };
  }

  /** Asks until the slot is there. Whoever stops waiting aborts the signal, and no further question is asked. */
  private async granted(
    workspace_id: string,
    { accountId, runId, slotId, signal }: SlotAsk & { slotId: string },
  ): Promise<void> {
    const ask = {
      workspace_id,
      provider_account_id: accountId,
      run_id: runId,
      slot_id: slotId,
      owner: this.owner,
    };
    let giveUpAt = Date.now() + PATIENCE_MS;
    while (!signal.aborted) {
      try {
        const { granted } = await this.bus.call(modelSlots.acquire, ask);
        if (granted) return;
        giveUpAt = Date.now() + PATIENCE_MS;
      } catch (error) {
        const mayHelp = error instanceof ContractError && error.isRetryable;
        if (!mayHelp || Date.now() > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  private release(slot_id: string, outcome: SlotOutcome, retry_after_ms?: number): void {
    if (!this.mine.delete(slot_id)) return;
    const hint = retry_after_ms !== undefined && retry_after_ms > 0 ? { retry_after_ms } : {};
    // What fails here is found among the held ones by the next renewal, or expires.
    this.bus.call(modelSlots.release, { slot_id, owner: this.owner, outcome, ...hint }).catch(() => {});
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
    try {
      const { held } = await this.bus.call(modelSlots.renew, { owner });
      const left = held.filter((slot_id) => !this.mine.has(slot_id));
      await Promise.all(
        left.map((slot_id) => this.bus.call(modelSlots.release, { slot_id, owner, outcome: 'failed' })),
      );
    } catch {
      // A lease outlives two renewals that are lost; what was to be released is found again.
    }
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
