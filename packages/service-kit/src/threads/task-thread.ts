import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** Loading the program of a thread takes a fraction of a second, on a machine that has nothing else to do. */
const START_MS_MAX = 30_000;

/** A task took more time or memory than it may. The thread that it ran in is over. */
export class ThreadOverrun extends Error {
  override readonly name = 'ThreadOverrun';

  constructor(readonly resource: 'time' | 'memory') {
    super(`the task took too much ${resource}`);
  }
}

/** Tasks are short, and there may be as many threads as cores: what they throw away need not add up. */
const YOUNG_MIB = 24;

export interface TaskThreadOptions {
  memoryMib: number;
}

/**
 * A thread that works on one task at a time: without the process's environment, limited in memory and, by task, in time.
 * Its program says that it can begin by a first message, then answers each message with one. After a failure it is over
 * and must be stopped; another takes its place.
 */
export class TaskThread {
  private readonly worker: Worker;
  private readonly ready: Promise<unknown>;

  constructor(program: URL, { memoryMib }: TaskThreadOptions) {
    // A flag of the process, which its main thread has taken long ago, would have its way over a thread's own limit.
    setFlagsFromString('--max-semi-space-size=0');
    const resourceLimits = { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: YOUNG_MIB };
    this.worker = new Worker(program, { env: {}, resourceLimits });
    this.worker.unref();
    this.ready = this.answer(START_MS_MAX);
    // Whoever waits hears of it; when nobody does, it must not end the process.
    this.ready.catch(() => {});
    this.worker.on('error', () => {});
  }

  /** The answer to a task. Fails with `ThreadOverrun`, or with what the program threw, which is a bug. */
  async ask(task: unknown, timeoutMs: number): Promise<unknown> {
    this.worker.ref();
    try {
      await this.ready;
      this.worker.postMessage(task);
      return await this.answer(timeoutMs);
    } catch (error) {
      throw isOutOfMemory(error) ? new ThreadOverrun('memory') : error;
    } finally {
      this.worker.unref();
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  private async answer(timeoutMs: number): Promise<unknown> {
    const { worker } = this;
    return await new Promise((resolve, reject) => {
      const overdue = setTimeout(() => settle(() => reject(new ThreadOverrun('time'))), timeoutMs);
      const onMessage = (message: unknown) => settle(() => resolve(message));
      const onError = (error: unknown) => settle(() => reject(error));
      const onExit = () => settle(() => reject(new Error('the thread has ended')));
      const settle = (act: () => void) => {
        clearTimeout(overdue);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        act();
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

function isOutOfMemory(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
