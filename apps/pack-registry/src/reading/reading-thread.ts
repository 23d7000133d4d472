import { Worker } from 'node:worker_threads';
import { ContractError } from '@agentclash/contracts';
import type { DocumentReading, ReadingTask } from './read-document.js';

/** Loading the program of a thread takes a fraction of a second, on a machine that has nothing else to do. */
const START_MS_MAX = 30_000;

export interface ReadingLimits {
  timeoutMs: number;
  memoryMib: number;
}

/** A thread that reads one document at a time. After a failure it is over, and another must take its place. */
export class ReadingThread {
  private readonly worker: Worker;
  private readonly ready: Promise<unknown>;

  constructor(private readonly limits: ReadingLimits) {
    this.worker = new Worker(new URL(import.meta.resolve('#reading-thread')), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMib },
    });
    this.worker.unref();
    this.ready = this.answer(START_MS_MAX, new Error('the reading thread does not start'));
    // Whoever waits hears of it; when nobody does, it must not end the process.
    this.ready.catch(() => {});
    this.worker.on('error', () => {});
  }

  /** Fails with `too_large` for a document whose reading takes too much time or memory; a bug stays a bug. */
  async read(task: ReadingTask): Promise<DocumentReading> {
    const { timeoutMs, memoryMib } = this.limits;
    this.worker.ref();
    await this.ready;
    this.worker.postMessage(task);
    try {
      return (await this.answer(timeoutMs, tooLarge(`${timeoutMs / 1_000} seconds`))) as DocumentReading;
    } catch (error) {
      throw isOutOfMemory(error) ? tooLarge(`${memoryMib} MiB of memory`) : error;
    } finally {
      this.worker.unref();
    }
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  /** The next message. Fails with `late` after the time, and when the thread ends. */
  private async answer(timeoutMs: number, late: Error): Promise<unknown> {
    const { worker } = this;
    return await new Promise((resolve, reject) => {
      const overdue = setTimeout(() => settle(() => reject(late)), timeoutMs);
      const onMessage = (message: unknown) => settle(() => resolve(message));
      const onError = (error: unknown) => settle(() => reject(error));
      const onExit = () => settle(() => reject(new Error('the reading thread has ended')));
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
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  );
}

function tooLarge(limit: string): ContractError {
  const message = `reading the document takes more than ${limit}; split it, or simplify its patterns and schemas`;
  const place = { field: '', severity: 'error', line: 1, column: 1 } as const;
  return new ContractError('too_large', `Reading the challenge pack takes more than ${limit}.`, {
    errors: [{ code: 'document_too_large', message, ...place }],
  });
}
