import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { DocumentReading, ReadingTask } from './read-document.js';
import { type ReadingLimits, ReadingThread } from './reading-thread.js';
import { ReadingTurns } from './reading-turns.js';

export const READING_LIMITS: ReadingLimits = { timeoutMs: 8_000, memoryMib: 512 };
const TURNS = { atOnceMax: 3, perWorkspaceMax: 2, waitingMsMax: 5_000 };

/** What all threads may take together, beside the heap of the service. */
export const READING_MIB_MAX = TURNS.atOnceMax * READING_LIMITS.memoryMib;

/**
 * Reads documents in threads of their own, so that none can hold up the service: started when they are needed, limited
 * in time and memory, replaced when a document has brought one down.
 */
@Injectable()
export class PackReader implements OnModuleDestroy {
  private readonly turns = new ReadingTurns(TURNS);
  private readonly threads = new Set<ReadingThread>();
  private readonly idle: ReadingThread[] = [];

  /** Fails with `too_large` for a document that takes too much to read, with `unavailable` when too many are read. */
  async read(workspaceId: string, task: ReadingTask): Promise<DocumentReading> {
    return await this.inTurn(workspaceId, async () => {
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

  /** Does work that takes a thread when it is the workspace's turn. Fails with `unavailable` after too long a wait. */
  async inTurn<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    await this.turns.begin(workspaceId);
    try {
      return await work();
    } finally {
      this.turns.end(workspaceId);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.stop()));
  }

  private start(): ReadingThread {
    const thread = new ReadingThread(READING_LIMITS);
    this.threads.add(thread);
    return thread;
  }
}
