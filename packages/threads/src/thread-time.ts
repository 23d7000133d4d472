import { ContractError } from '@agentclash/contracts';
import type { ThreadSchedule } from './thread-schedule.js';

/**
 * The longest that a task may take by the clock, in multiples of its limit. Beyond it the task has no result: the machine
 * is overloaded, or the thread is blocked.
 */
const STRETCH_MAX = 60;

/**
 * Program of each thread: loads that of `workerData`, then reports where the kernel counts the thread's CPU time (null
 * elsewhere than on Linux).
 */
export const THREAD_BOOT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { readlinkSync } from 'node:fs';
    import { parentPort, workerData } from 'node:worker_threads';
    let folder = null;
    try { folder = readlinkSync('/proc/thread-self'); } catch {}
    await import(workerData);
    parentPort.postMessage(folder);
  `)}`,
);

export function overloaded(): ContractError {
  return new ContractError('unavailable', 'The machine is overloaded. Try again later.');
}

/**
 * Time limit of one task, in CPU time of its thread, so that a busy machine changes no result. Where the kernel does not
 * count it, time by the clock.
 */
export class ThreadTime {
  readonly #startedAt = performance.now();
  readonly #cpuAtStartMs: number | undefined;

  constructor(
    /** Of the thread; absent where the kernel counts nothing. */
    private readonly schedule: ThreadSchedule | undefined,
    readonly limitMs: number,
  ) {
    this.#cpuAtStartMs = this.#cpuMs();
  }

  get usedMs(): number {
    const cpuMs = this.#cpuMs();
    if (cpuMs === undefined || this.#cpuAtStartMs === undefined) return this.#elapsedMs;
    return cpuMs - this.#cpuAtStartMs;
  }

  /** 0 at the limit. Fails with `unavailable` when the task got too little CPU time for too long. */
  get remainingMs(): number {
    const remainingMs = Math.max(0, this.limitMs - this.usedMs);
    if (remainingMs > 0 && this.#elapsedMs > STRETCH_MAX * this.limitMs) {
      throw overloaded();
    }
    return remainingMs;
  }

  get #elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  #cpuMs(): number | undefined {
    return this.schedule?.read()?.ranMs;
  }
}
