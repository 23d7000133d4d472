import { TaskThread, ThreadOverrun } from '@agentclash/threads';
import { Injectable } from '@nestjs/common';
import { PackReader, READING_LIMITS } from '../reading/pack-reader.js';
import { ArchiveError } from './archive-errors.js';
import type { MemberReading, MembersTask } from './read-members.js';

/** Unpacks archives in separate threads, which share the limit of those that read documents. */
@Injectable()
export class ArchiveReader {
  constructor(private readonly documents: PackReader) {}

  /** An archive that takes too much time or memory is a problem of all its members. */
  async read(workspaceId: string, task: MembersTask): Promise<MemberReading[]> {
    return await this.documents.withSlot(workspaceId, async () => {
      const thread = new TaskThread(new URL(import.meta.resolve('#archive-thread')), READING_LIMITS);
      try {
        return (await thread.run(task, READING_LIMITS.timeoutMs)) as MemberReading[];
      } catch (error) {
        if (!(error instanceof ThreadOverrun)) throw error;
        const { problem } = new ArchiveError(`unpacking the archive takes too much ${error.resource}`);
        return task.paths.map((path) => ({ path, problem }));
      } finally {
        await thread.stop();
      }
    });
  }
}
