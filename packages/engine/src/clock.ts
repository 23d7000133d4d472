import { readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

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

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  delayed: () => {
    try {
      return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1] ?? 0) / NS_PER_MS;
    } catch {
      return 0; // no such file: another system
    }
  },
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
