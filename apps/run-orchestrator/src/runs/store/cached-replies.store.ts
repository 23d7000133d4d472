import type { HistoryEvent } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { CachedReply } from '../../generated/client.js';
import { HistoryStore } from './history.store.js';

/** Which events hold the replies to requests: they are deleted with their runs. */
@Injectable()
export class CachedRepliesStore {
  constructor(
    private readonly db: Database,
    private readonly history: HistoryStore,
  ) {}

  /** The event with the reply; null where there is none in the workspace, or it is not stored yet. */
  async find(workspaceId: string, key: string): Promise<HistoryEvent | null> {
    const known = await this.db.cachedReply.findFirst({
      // The row of a run that is being deleted has no workspace any more.
      where: { workspaceId, key, run: { workspaceId } },
    });
    if (known === null) return null;
    const { attemptId, delivery, sequenceNumber } = known;
    const part = { attemptId, delivery, eventTypes: ['model.call.recorded'] };
    const [event] = await this.history.ofDelivery(part, sequenceNumber - 1, 1);
    return event?.sequence_number === sequenceNumber ? event : null;
  }

  /** A later reply takes the place of an earlier one, which may be lost. */
  async put(reply: Omit<CachedReply, 'cachedAt'>): Promise<void> {
    const { workspaceId, key } = reply;
    const where = { workspaceId_key: { workspaceId, key } };
    await this.db.cachedReply.upsert({ where, create: reply, update: { ...reply, cachedAt: new Date() } });
  }
}
