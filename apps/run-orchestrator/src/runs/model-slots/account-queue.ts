import { type Release } from '@agentclash/run-rules';
import type { ModelSlotsStore, SlotRequest } from './model-slots.store.js';

interface Waiter {
  request: SlotRequest;
  settle: (isGranted: boolean) => void;
  fail: (error: unknown) => void;
  deadlineMs: number;
}

interface AccountQueueOptions {
  store: ModelSlotsStore;
  leaseMs: number;
  onEmpty: () => void;
  /** Called while calls wait, and when the provider refuses one. */
  onContended: () => void;
}

/** How often waiting calls check for slots that another instance, or the clock, has freed. */
const POLL_INTERVAL_MS = 250;
/** How often owners are reminded of calls that wait. */
const CONTENDED_EVERY_MS = 1_000;

/**
 * The calls that wait at one account in this process. Requests during an allocation are batched
 * into the next one, so that many requests cost few transactions.
 */
export class AccountQueue {
  private readonly waiters = new Map<string, Waiter>();
  private releases: Release[] = [];
  private requested: SlotRequest[] = [];
  private allocating: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private contendedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly accountId: string,
    private readonly options: AccountQueueOptions,
  ) {}

  /** True when the slot was granted within `waitMs`. */
  async acquire(request: SlotRequest, waitMs: number): Promise<boolean> {
    return await new Promise((settle, fail) => {
      this.waiters.get(request.slotId)?.settle(false);
      this.waiters.set(request.slotId, { request, settle, fail, deadlineMs: Date.now() + waitMs });
      this.requested.push(request);
      this.allocate();
    });
  }

  async release(release: Release): Promise<void> {
    this.waiters.get(release.slotId)?.settle(false);
    this.waiters.delete(release.slotId);
    this.releases.push(release);
    if (release.outcome === 'rate_limited') this.reportContention();
    this.allocate();
    await this.allocating;
  }

  /** Refuses every waiting call. */
  stop(): void {
    clearTimeout(this.timer);
    for (const { settle } of this.waiters.values()) settle(false);
    this.waiters.clear();
  }

  private allocate(): void {
    clearTimeout(this.timer);
    this.allocating ??= this.allocateAll();
  }

  /** Plays until nothing more has come meanwhile. */
  private async allocateAll(): Promise<void> {
    do {
      const requests = this.requested;
      const releases = this.releases;
      this.requested = [];
      this.releases = [];
      const { store, leaseMs } = this.options;
      try {
        const held = await store.allocate({ accountId: this.accountId, requests, releases, leaseMs });
        for (const id of held) this.take(id)?.settle(true);
        if (requests.some(({ slotId }) => this.waiters.has(slotId))) this.reportContention();
      } catch (error) {
        for (const { slotId } of requests) this.take(slotId)?.fail(error);
        // A slot that could not be given back expires.
      }
    } while (this.requested.length + this.releases.length > 0);
    // At once after the last look: what comes from here on begins the next rounds.
    this.allocating = undefined;
    this.rest();
  }

  private take(id: string): Waiter | undefined {
    const waiter = this.waiters.get(id);
    this.waiters.delete(id);
    return waiter;
  }

  private rest(): void {
    const now = Date.now();
    for (const [id, { deadlineMs }] of this.waiters) if (deadlineMs <= now) this.take(id)?.settle(false);
    if (this.waiters.size === 0) this.options.onEmpty();
    else {
      this.reportContention();
      this.timer = setTimeout(() => this.allocate(), POLL_INTERVAL_MS);
    }
  }

  private reportContention(): void {
    const now = performance.now();
    if (now - this.contendedAt < CONTENDED_EVERY_MS) return;
    this.contendedAt = now;
    this.options.onContended();
  }
}
