import { FairQueue } from './fair-queue.js';

/** More of one tenant's work waits than may. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

export interface FairTurnsLimits {
  /** Works at the same time. One tenant leaves one of several to the others. */
  atOnce: number;
  /** Works of one tenant that wait. */
  waitingMax: number;
}

export interface Turn {
  /** Whose work it is, such as a workspace: tenants take turns. */
  tenant: string;
  /** Gives up waiting. */
  signal?: AbortSignal | undefined;
  /** Called when it has to wait. */
  onWait?: (() => void) | undefined;
  /** Called when it has waited and its turn begins. */
  onTurn?: (() => void) | undefined;
}

/** A semaphore that is fair between tenants. */
export class FairTurns {
  private readonly queue = new FairQueue<() => void>();
  private readonly running: string[] = [];

  constructor(private readonly limits: FairTurnsLimits) {}

  /** Fails with `TooManyWaiting`, the signal's reason, or as the work does. */
  async take<T>({ tenant, signal, onWait, onTurn }: Turn, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.mayRun(tenant)) this.running.push(tenant);
    else {
      onWait?.();
      await this.turnOf(tenant, signal);
      onTurn?.();
    }
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(tenant), 1);
      this.beginNext();
    }
  }

  private mayRun(tenant: string): boolean {
    const { atOnce } = this.limits;
    const own = this.running.filter((other) => other === tenant).length;
    return this.running.length < atOnce && own < Math.max(1, atOnce - 1);
  }

  private async turnOf(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.queue.countOf(tenant) >= this.limits.waitingMax) throw new TooManyWaiting('too many tasks wait');
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.queue.remove(tenant, begin);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.queue.push(tenant, begin);
    });
  }

  /** The slot is taken before the work goes on, so that none that comes meanwhile is before it. */
  private beginNext(): void {
    const next = this.queue.shift((tenant) => this.mayRun(tenant));
    if (next === undefined) return;
    this.running.push(next.tenant);
    next.item();
  }
}
