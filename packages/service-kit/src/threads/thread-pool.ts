import { FairTurns, type Turn } from './fair-turns.js';
import { TaskThread } from './task-thread.js';

export interface ThreadPoolLimits {
  /** Tasks at the same time. One tenant leaves one of several threads to the others. */
  threads: number;
  /** For each thread. */
  memoryMib: number;
  /** For each task, from the beginning of its turn. */
  timeoutMs: number;
  /** Tasks of one tenant that wait. */
  waitingMax: number;
}

export interface PoolTask extends Turn {
  task: unknown;
}

/**
 * Runs untrusted work in a few threads, so that none can hold up the service or another tenant: bounded in time, memory
 * and count. A thread that a task has brought down, or that was given up, is replaced.
 */
export class ThreadPool {
  private readonly turns: FairTurns;
  private readonly threads = new Set<TaskThread>();
  private readonly idle: TaskThread[] = [];

  constructor(
    private readonly program: URL,
    private readonly limits: ThreadPoolLimits,
  ) {
    this.turns = new FairTurns({ atOnce: limits.threads, waitingMax: limits.waitingMax });
  }

  /** The program's reply. Fails with `ThreadOverrun`, `TooManyWaiting`, the signal's reason, or what the program threw. */
  async run({ task, ...turn }: PoolTask): Promise<unknown> {
    return await this.turns.take(turn, () => this.runNow(task, turn.signal));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private async runNow(task: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const thread = this.idle.pop() ?? this.start();
    try {
      const reply = await unlessAborted(thread.ask(task, this.limits.timeoutMs), signal);
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
