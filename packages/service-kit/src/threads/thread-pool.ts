import { FairQueue } from './fair-queue.js';
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

export interface PoolTask {
  /** Whose task it is, such as a workspace: tenants take turns. */
  tenant: string;
  task: unknown;
  /** Gives the task up, waiting or running. */
  signal?: AbortSignal;
  /** Called when it has to wait. */
  onWait?: () => void;
  /** Called when it has waited and its turn begins. */
  onTurn?: () => void;
}

/** More tasks of one tenant wait than may. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

/**
 * Runs untrusted work in a few threads, so that none can hold up the service or another tenant: bounded in time, memory
 * and count. A thread that a task has brought down, or that was given up, is replaced.
 */
export class ThreadPool {
  private readonly queue = new FairQueue<() => void>();
  private readonly running: string[] = [];
  private readonly threads = new Set<TaskThread>();
  private readonly idle: TaskThread[] = [];

  constructor(
    private readonly program: URL,
    private readonly limits: ThreadPoolLimits,
  ) {}

  /** The program's reply. Fails with `ThreadOverrun`, `TooManyWaiting`, the signal's reason, or what the program threw. */
  async run({ tenant, task, signal, onWait, onTurn }: PoolTask): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.mayRun(tenant)) this.running.push(tenant);
    else {
      onWait?.();
      await this.turnOf(tenant, signal);
      onTurn?.();
    }
    try {
      return await this.runNow(task, signal);
    } finally {
      this.running.splice(this.running.indexOf(tenant), 1);
      this.beginNext();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private mayRun(tenant: string): boolean {
    const { threads } = this.limits;
    const own = this.running.filter((other) => other === tenant).length;
    return this.running.length < threads && own < Math.max(1, threads - 1);
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

  /** The place is taken before the task goes on, so that none that comes meanwhile is before it. */
  private beginNext(): void {
    const next = this.queue.shift((tenant) => this.mayRun(tenant));
    if (next === undefined) return;
    this.running.push(next.tenant);
    next.item();
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
