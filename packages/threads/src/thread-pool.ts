import { FairLimiter, type SlotRequest } from './fair-limiter.js';
import { TaskThread } from './task-thread.js';

export interface ThreadPoolLimits {
  /** Tasks at the same time. With several threads, one tenant may use all but one. */
  threads: number;
  /** Per thread. */
  memoryMib: number;
  /** CPU time per task. */
  timeoutMs: number;
  /** Length of one tenant's queue. */
  waitingMax: number;
}

export interface PoolTask extends SlotRequest {
  task: unknown;
}

/**
 * Runs untrusted work in a few threads, bounded in time, memory and count, so that no task blocks the service or another
 * tenant. A thread whose task failed or was cancelled is replaced.
 */
export class ThreadPool {
  private readonly limiter: FairLimiter;
  private readonly threads = new Set<TaskThread>();
  private readonly idle: TaskThread[] = [];

  constructor(
    private readonly program: URL,
    private readonly limits: ThreadPoolLimits,
  ) {
    this.limiter = new FairLimiter({ atOnce: limits.threads, waitingMax: limits.waitingMax });
  }

  /** The program's reply. Fails with `ThreadOverrun`, `TooManyWaiting`, the signal's reason, or the program's error. */
  async run({ task, ...slot }: PoolTask): Promise<unknown> {
    return await this.limiter.take(slot, () => this.runNow(task, slot.signal));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private async runNow(task: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const thread = this.idle.pop() ?? this.start();
    try {
      const reply = await unlessAborted(thread.run(task, this.limits.timeoutMs), signal);
      this.idle.push(thread);
      return reply;
    } catch (error) {
      this.threads.delete(thread);
      await thread.stop();
      throw error;
    }
  }

  private start(): TaskThread {
    const thread = new TaskThread(this.program, { memoryMib: this.limits.memoryMib });
    this.threads.add(thread);
    return thread;
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
