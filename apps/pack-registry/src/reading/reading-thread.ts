import { ContractError } from '@agentclash/contracts';
import { TaskThread, ThreadOverrun } from '@agentclash/service-kit';
import type { DocumentReading, ReadingTask } from './read-document.js';

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
