import type { ModelSlotsStore, SlotAsk } from './model-slots.store.js';
import type { Release } from './slot-allocation.js';

interface Waiter {
  ask: SlotAsk;
  settle: (isGranted: boolean) => void;
  fail: (error: unknown) => void;
  deadlineMs: number;
}

/** How often those who wait here look whether another instance, or the clock, has made room. */
const LOOK_AGAIN_MS = 250;

/**
 * The calls that wait at one account in this process. What comes while a round is played is played together in the
 * next, so that a crowd costs few transactions.
 */
export class AccountLine {
  private readonly waiters = new Map<string, Waiter>();
  private releases: Release[] = [];
  private asked: SlotAsk[] = [];
  private playing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly accountId: string,
    private readonly means: { store: ModelSlotsStore; leaseMs: number; onEmpty: () => void },
  ) {}

  /** Whether the slot was granted within `waitMs`. */
  async acquire(ask: SlotAsk, waitMs: number): Promise<boolean> {
    return await new Promise((settle, fail) => {
      this.waiters.get(ask.slotId)?.settle(false);
      this.waiters.set(ask.slotId, { ask, settle, fail, deadlineMs: Date.now() + waitMs });
      this.asked.push(ask);
      this.play();
    });
  }

  async release(release: Release): Promise<void> {
    this.waiters.get(release.slotId)?.settle(false);
    this.waiters.delete(release.slotId);
    this.releases.push(release);
    this.play();
    await this.playing;
  }

  /** Lets nobody wait any longer. */
  stop(): void {
    clearTimeout(this.timer);
    for (const { settle } of this.waiters.values()) settle(false);
    this.waiters.clear();
  }

  private play(): void {
    clearTimeout(this.timer);
    this.playing ??= this.rounds();
  }

  /** Plays until nothing more has come meanwhile. */
  private async rounds(): Promise<void> {
    do {
      const asks = this.asked;
      const releases = this.releases;
      this.asked = [];
      this.releases = [];
      const { store, leaseMs } = this.means;
      try {
        const held = await store.play({ accountId: this.accountId, asks, releases, leaseMs });
        for (const id of held) this.take(id)?.settle(true);
      } catch (error) {
        for (const { slotId } of asks) this.take(slotId)?.fail(error);
        // A slot that could not be given back expires.
      }
    } while (this.asked.length + this.releases.length > 0);
    // At once after the last look: what comes from here on begins the next rounds.
    this.playing = undefined;
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
    if (this.waiters.size === 0) this.means.onEmpty();
    else this.timer = setTimeout(() => this.play(), LOOK_AGAIN_MS);
  }
}
