import { ContractError } from '@agentclash/contracts';
import { FairLimiter, TaskThread, ThreadOverrun, TooManyWaiting } from '@agentclash/service-kit';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DocumentReading, ReadingTask } from './read-document.js';

export const READING_LIMITS: ReadingLimits = { timeoutMs: 8_000, memoryMib: 512 };
/** One workspace uses at most two threads, so that its hostile packs leave one to others. */
const CONCURRENCY = { atOnce: 3, waitingMax: 64 };
const WAITING_MS_MAX = 5_000;

/** The memory of all threads, beside the heap of the service. */
export const READING_MIB_MAX = CONCURRENCY.atOnce * READING_LIMITS.memoryMib;

/**
 * Reads documents in separate threads, so that none blocks the service: started on demand, limited in time and memory,
 * replaced after a failure.
 */
@Injectable()
export class PackReader implements OnApplicationShutdown {
  private readonly limiter = new FairLimiter(CONCURRENCY);
  private readonly threads = new Set<ReadingThread>();
  private readonly idle: ReadingThread[] = [];

  /** Fails with `too_large` for a document that takes too much to read, with `unavailable` when too many are read. */
  async read(workspaceId: string, task: ReadingTask): Promise<DocumentReading> {
    return await this.withSlot(workspaceId, async () => {
      const thread = this.idle.pop() ?? this.start();
      try {
        const reading = await thread.read(task);
        this.idle.push(thread);
        return reading;
      } catch (error) {
        this.threads.delete(thread);
        await thread.stop();
        throw error;
      }
    });
  }

  /** Runs work that uses a thread in a slot of the workspace. Fails with `unavailable` after too long a wait. */
  async withSlot<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const waiting = AbortSignal.timeout(WAITING_MS_MAX);
    try {
      return await this.limiter.take({ tenant: workspaceId, signal: waiting }, work);
    } catch (error) {
      if (error !== waiting.reason && !(error instanceof TooManyWaiting)) throw error;
      throw new ContractError('unavailable', 'Too many challenge packs are being read. Try again shortly.');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private start(): ReadingThread {
    const thread = new ReadingThread(READING_LIMITS);
    this.threads.add(thread);
    return thread;
  }
}

export interface ReadingLimits {
  timeoutMs: number;
  memoryMib: number;
}

/** A thread that reads one document at a time. After a failure it has ended and must be replaced. */
export class ReadingThread {
  private readonly thread: TaskThread;

  constructor(private readonly limits: ReadingLimits) {
    this.thread = new TaskThread(new URL(import.meta.resolve('#reading-thread')), limits);
  }

  /** Fails with `too_large` for a document that exceeds the limits of time or memory; other errors are bugs. */
  async read(task: ReadingTask): Promise<DocumentReading> {
    const { timeoutMs, memoryMib } = this.limits;
    const most = { time: `${timeoutMs / 1_000} seconds`, memory: `${memoryMib} MiB of memory` };
    try {
      return (await this.thread.run(task, timeoutMs)) as DocumentReading;
    } catch (error) {
      throw error instanceof ThreadOverrun ? tooLarge(most[error.resource]) : error;
    }
  }

  async stop(): Promise<void> {
    await this.thread.stop();
  }
}

function tooLarge(limit: string): ContractError {
  const message = `reading the document takes more than ${limit}; split it, or simplify its patterns and schemas`;
  const position = { field: '', severity: 'error', line: 1, column: 1 } as const;
  return new ContractError('too_large', `Reading the challenge pack takes more than ${limit}.`, {
    errors: [{ code: 'document_too_large', message, ...position }],
  });
}
