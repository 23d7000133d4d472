import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { factOf, type PublicFact } from '../runs/state/event-draft.js';

@Injectable()
export class RequestedRunsStore {
  constructor(private readonly db: Database) {}

  /** The `run.requested` event of the run that was created for a request. */
  async findRequested(workspaceId: string, requestId: string): Promise<PublicFact | undefined> {
    const run = await this.db.run.findUnique({
      where: { workspaceId_requestId: { workspaceId, requestId } },
      select: { id: true },
    });
    const row =
      run &&
      (await this.db.event.findFirst({
        where: { runId: run.id, eventType: 'run.requested' },
        orderBy: { position: 'asc' },
      }));
    return row ? factOf({ ...row, occurredAt: row.occurredAt.toISOString() }, workspaceId) : undefined;
  }
}
