/** A queue of tenants' items: round robin between tenants, first in first out within one. */
export class FairQueue<T> {
  /** In the order of the round robin. */
  private readonly waiting = new Map<string, T[]>();

  push(tenant: string, item: T): void {
    const items = this.waiting.get(tenant);
    if (items === undefined) this.waiting.set(tenant, [item]);
    else items.push(item);
  }

  /** Removes the next item of the first eligible tenant, which moves to the end of the round robin. */
  shift(isEligible: (tenant: string) => boolean): { tenant: string; item: T } | undefined {
    for (const [tenant, items] of this.waiting) {
      if (!isEligible(tenant)) continue;
      const [item, ...rest] = items;
      this.waiting.delete(tenant);
      if (rest.length > 0) this.waiting.set(tenant, rest);
      if (item !== undefined) return { tenant, item };
    }
    return undefined;
  }

  remove(tenant: string, item: T): void {
    const rest = (this.waiting.get(tenant) ?? []).filter((other) => other !== item);
    if (rest.length > 0) this.waiting.set(tenant, rest);
    else this.waiting.delete(tenant);
  }

  countOf(tenant: string): number {
    return this.waiting.get(tenant)?.length ?? 0;
  }
}

/** The queue of one tenant is full. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

export interface FairLimiterLimits {
  atOnce: number;
  /** Slots of one tenant. Default: all but one, at least one, so that work of another tenant never waits for a free slot. */
  tenantMax?: number;
  /** Length of one tenant's queue. */
  waitingMax: number;
}

export interface SlotRequest {
  /** The owner of the work, such as a workspace: slots go to tenants in rotation. */
  tenant: string;
  /** Cancels the wait. */
  signal?: AbortSignal | undefined;
  /** Called when the work is queued. */
  onWait?: (() => void) | undefined;
  /** Called when queued work gets its slot. */
  onSlot?: (() => void) | undefined;
}

/** A semaphore that is fair between tenants. */
export class FairLimiter {
  private readonly queue = new FairQueue<() => void>();
  private readonly running: string[] = [];

  constructor(private readonly limits: FairLimiterLimits) {}

  /** Fails with `TooManyWaiting`, the signal's reason, or as the work does. */
  async take<T>({ tenant, signal, onWait, onSlot }: SlotRequest, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.mayRun(tenant)) this.running.push(tenant);
    else {
      onWait?.();
      await this.waitForSlot(tenant, signal);
      onSlot?.();
    }
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(tenant), 1);
      this.startNext();
    }
  }

  private mayRun(tenant: string): boolean {
    const { atOnce, tenantMax = Math.max(1, atOnce - 1) } = this.limits;
    const own = this.running.filter((other) => other === tenant).length;
    return this.running.length < atOnce && own < tenantMax;
  }

  private async waitForSlot(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.queue.countOf(tenant) >= this.limits.waitingMax) throw new TooManyWaiting('too many tasks wait');
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = () => {
        this.queue.remove(tenant, start);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.queue.push(tenant, start);
    });
  }

  /** Occupies the slot before the queued work resumes, so that no later work overtakes it. */
  private startNext(): void {
    const next = this.queue.shift((tenant) => this.mayRun(tenant));
    if (next === undefined) return;
    this.running.push(next.tenant);
    next.item();
  }
}
