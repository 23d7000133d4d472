import { ContractError } from '@agentclash/contracts';
import { FairLimiter, TaskThread, ThreadOverrun, TooManyWaiting } from '@agentclash/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CasesReading, CasesTask } from './read-cases.js';
import type { DocumentReading, ReadingTask } from './read-document.js';

export const READING_LIMITS: ReadingLimits = { timeoutMs: 8_000, memoryMib: 512 };
/** One workspace uses at most two threads, so that its hostile packs leave one to others. */
const CONCURRENCY = { atOnce: 3, waitingMax: 64 };
const WAITING_MS_MAX = 5_000;

/** CPU time of a document with its data files. */
const FILES_MS_MAX = 90_000;
/** One workspace reads the data files of one document at a time; documents without them do not wait for those. */
const FILES_CONCURRENCY = { atOnce: 2, waitingMax: 16 };
const FILES_WAITING_MS_MAX = 30_000;

/** The memory of all threads, beside the heap of the service. */
export const READING_MIB_MAX = (CONCURRENCY.atOnce + FILES_CONCURRENCY.atOnce) * READING_LIMITS.memoryMib;

/**
 * Reads documents in separate threads, so that none blocks the service: started on demand, limited in time and memory,
 * replaced after a failure.
 */
@Injectable()
export class PackReader implements OnApplicationShutdown {
  private readonly limiter = new FairLimiter(CONCURRENCY);
  private readonly filesLimiter = new FairLimiter(FILES_CONCURRENCY);
  private readonly threads = new Set<ReadingThread>();
  private readonly idle: ReadingThread[] = [];

  /** Fails with `too_large` for a document that takes too much to read, with `unavailable` when too many are read. */
  async read(workspaceId: string, task: ReadingTask): Promise<DocumentReading> {
    return await this.withSlot(workspaceId, () => this.inThread((thread) => thread.read(task)));
  }

  /** Reads a document with data files, in a slot for those. Fails with `too_large`. */
  async readCases(task: CasesTask): Promise<CasesReading> {
    return await this.inThread((thread) => thread.readCases(task));
  }

  /** Runs work that uses a thread in a slot of the workspace. Fails with `unavailable` after too long a wait. */
  async withSlot<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return await take(this.limiter, { tenant: workspaceId, ms: WAITING_MS_MAX }, work);
  }

  /** Runs work with data files in a slot of the workspace. Fails with `unavailable` after too long a wait. */
  async withFilesSlot<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return await take(this.filesLimiter, { tenant: workspaceId, ms: FILES_WAITING_MS_MAX }, work);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private async inThread<T>(work: (thread: ReadingThread) => Promise<T>): Promise<T> {
    const thread = this.idle.pop() ?? this.start();
    try {
      const result = await work(thread);
      this.idle.push(thread);
      return result;
    } catch (error) {
      this.threads.delete(thread);
      await thread.stop();
      throw error;
    }
  }

  private start(): ReadingThread {
    const thread = new ReadingThread(READING_LIMITS);
    this.threads.add(thread);
    return thread;
  }
}

async function take<T>(
  limiter: FairLimiter,
  { tenant, ms }: { tenant: string; ms: number },
  work: () => Promise<T>,
): Promise<T> {
  const waiting = AbortSignal.timeout(ms);
  try {
    return await limiter.take({ tenant, signal: waiting }, work);
  } catch (error) {
    if (error !== waiting.reason && !(error instanceof TooManyWaiting)) throw error;
    throw new ContractError('unavailable', 'Too many challenge packs are being read. Try again shortly.');
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
    return (await this.run(task, this.limits.timeoutMs)) as DocumentReading;
  }

  /** The same for a document with data files, which has more time. */
  async readCases(task: CasesTask): Promise<CasesReading> {
    return (await this.run(task, FILES_MS_MAX)) as CasesReading;
  }

  private async run(task: ReadingTask | CasesTask, timeoutMs: number): Promise<unknown> {
    const most = { time: `${timeoutMs / 1_000} seconds`, memory: `${this.limits.memoryMib} MiB of memory` };
    try {
      return await this.thread.run(task, timeoutMs);
    } catch (error) {
      if (!(error instanceof ThreadOverrun)) throw error;
      throw 'folder' in task ? filesTooLarge(most[error.resource]) : tooLarge(most[error.resource]);
    }
  }

  async stop(): Promise<void> {
    await this.thread.stop();
  }
}

function filesTooLarge(limit: string): ContractError {
  const message = `reading the data files takes more than ${limit}; choose a part of the rows, or split the file`;
  const position = { field: 'input_sets', severity: 'error', line: 1, column: 1 } as const;
  return new ContractError('too_large', `Reading the data files of the pack takes more than ${limit}.`, {
    errors: [{ code: 'document_too_large', message, ...position }],
  });
}

function tooLarge(limit: string): ContractError {
  const message = `reading the document takes more than ${limit}; split it, or simplify its patterns and schemas`;
  const position = { field: '', severity: 'error', line: 1, column: 1 } as const;
  return new ContractError('too_large', `Reading the challenge pack takes more than ${limit}.`, {
    errors: [{ code: 'document_too_large', message, ...position }],
  });
}
