import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { ThreadSchedule } from './thread-schedule.js';
import { overloaded, THREAD_BOOT, ThreadTime } from './thread-time.js';

/** Loading the program of a thread takes a fraction of a second, on a machine that has nothing else to do. */
const START_MS_MAX = 30_000;

/** A task exceeded its time or memory limit. Its thread has ended. */
export class ThreadOverrun extends Error {
  override readonly name = 'ThreadOverrun';

  constructor(readonly resource: 'time' | 'memory') {
    super(`the task took too much ${resource}`);
  }
}

/** Tasks are short, and there may be a thread per core: bounds the garbage of each. */
const YOUNG_MIB = 24;
/** As a limit comes near, the CPU time is read no more often than this. */
const STEP_MS = 5;

export interface TaskThreadOptions {
  memoryMib: number;
  /** By the clock, until the program is loaded. */
  startMsMax?: number;
}

/**
 * A worker thread that runs one task at a time: without the process's environment, limited in memory and, per task, in
 * CPU time. Its program posts one reply per task. After a failure it must be stopped and replaced.
 */
export class TaskThread {
  private readonly worker: Worker;
  private readonly ready: Promise<ThreadSchedule | undefined>;
  #usedMs = 0;

  constructor(program: URL, { memoryMib, startMsMax = START_MS_MAX }: TaskThreadOptions) {
    // A flag of the process would override the thread's own limit; the main thread has read it long ago.
    setFlagsFromString('--max-semi-space-size=0');
    const resourceLimits = { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: YOUNG_MIB };
    this.worker = new Worker(THREAD_BOOT, { workerData: program.href, env: {}, resourceLimits });
    this.worker.unref();
    this.ready = this.started(startMsMax);
    // A task that waits for readiness gets the error; without one it must not end the process.
    this.ready.catch(() => {});
    this.worker.on('error', () => {});
  }

  /** CPU time of all tasks. */
  get usedMs(): number {
    return this.#usedMs;
  }

  /**
   * Runs a task and returns its reply. Fails with `ThreadOverrun`, with `unavailable` on an overloaded machine, or with the
   * program's error, which is a bug.
   */
  async run(task: unknown, limitMs: number): Promise<unknown> {
    this.worker.ref();
    try {
      const time = new ThreadTime(await this.ready, limitMs);
      this.worker.postMessage(task);
      return await this.nextMessage(time).finally(() => {
        this.#usedMs += time.usedMs;
      });
    } catch (error) {
      throw isOutOfMemory(error) ? new ThreadOverrun('memory') : error;
    } finally {
      this.worker.unref();
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
    (await this.ready.catch(() => undefined))?.close();
  }

  /** Loads the program. */
  private async started(msMax: number): Promise<ThreadSchedule | undefined> {
    try {
      const folder = (await this.nextMessage(new ThreadTime(undefined, msMax))) as string | null;
      return folder === null ? undefined : ThreadSchedule.open(folder);
    } catch (error) {
      // No task has begun: a start that takes long is the load of the machine, never a task that took too much.
      throw error instanceof ThreadOverrun && error.resource === 'time' ? overloaded() : error;
    }
  }

  private async nextMessage(time: ThreadTime): Promise<unknown> {
    const { worker } = this;
    return await new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const check = () => {
        try {
          const { remainingMs } = time;
          if (remainingMs === 0) throw new ThreadOverrun('time');
          timer = setTimeout(check, Math.max(STEP_MS, remainingMs));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const onMessage = (message: unknown) => settle(() => resolve(message));
      const onError = (error: unknown) => settle(() => reject(error));
      const onExit = () => settle(() => reject(new Error('the thread has ended')));
      const settle = (act: () => void) => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        act();
      };
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      timer = setTimeout(check, time.limitMs);
    });
  }
}

function isOutOfMemory(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
