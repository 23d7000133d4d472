import { openSync, readSync } from 'node:fs';

/** The only source of time in the engine; tests bring their own. */
export interface Clock {
  /** Wall time, milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  monotonic(): number;
  /** Milliseconds for which the calling thread was ready to run so far and had no CPU; absent: unknown. */
  delayed?(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const NS_PER_MS = 1e6;
/** An attempt reads the time several times in a row. */
const READ_EVERY_MS = 1;

/** The kernel's count for one thread. Its file stays open: opening it costs ten times the reading. */
class ThreadDelays {
  private readonly line = Buffer.allocUnsafe(64);
  private readonly fd = openedIfThere('/proc/thread-self/schedstat');
  private readAt = Number.NEGATIVE_INFINITY;
  private ms = 0;

  get delayedMs(): number {
    const now = performance.now();
    if (this.fd === undefined || now - this.readAt < READ_EVERY_MS) return this.ms;
    this.readAt = now;
    const length = readSync(this.fd, this.line, 0, this.line.length, 0);
    this.ms = Number(this.line.toString('latin1', 0, length).split(' ')[1] ?? 0) / NS_PER_MS;
    return this.ms;
  }
}

function openedIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch {
    return undefined; // another system
  }
}

/** Of the calling thread, as each has its own modules. */
const delays = new ThreadDelays();

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  delayed: () => delays.delayedMs,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
