interface Waiter {
  permits: number;
  isUrgent: boolean;
  enter: () => void;
}

interface AcquireOptions {
  /** Default 1; more than there are count as all of them. */
  permits?: number;
  /** Queued before requests that are not urgent. */
  isUrgent?: boolean;
  signal?: AbortSignal;
}

/**
 * A counting semaphore. Requests are admitted in the order of their queue: one for many permits is not overtaken by
 * requests for few.
 */
export class Semaphore {
  private acquired = 0;
  private readonly queue: Waiter[] = [];

  constructor(private readonly permitsMax: number) {}

  /** Waits for the permits and returns what releases them. An aborted signal ends the wait, and nothing is acquired. */
  async acquire({ permits = 1, isUrgent = false, signal }: AcquireOptions = {}): Promise<() => void> {
    if (signal?.aborted) return () => {};
    const requested = Math.min(permits, this.permitsMax);
    return await new Promise<() => void>((resolve) => {
      const waiter = { permits: requested, isUrgent, enter: () => resolve(this.releaseOf(requested)) };
      const onAbort = () => {
        const index = this.queue.indexOf(waiter);
        if (index < 0) return;
        this.queue.splice(index, 1);
        resolve(() => {});
        this.admit();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const next = isUrgent ? this.queue.findIndex((other) => !other.isUrgent) : -1;
      this.queue.splice(next < 0 ? this.queue.length : next, 0, waiter);
      this.admit();
    });
  }

  private admit(): void {
    for (let next = this.queue[0]; next && this.fits(next); next = this.queue[0]) {
      this.queue.shift();
      this.acquired += next.permits;
      next.enter();
    }
  }

  private fits({ permits }: Waiter): boolean {
    return this.acquired + permits <= this.permitsMax;
  }

  private releaseOf(permits: number): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.acquired -= permits;
      this.admit();
    };
  }
}
