import { ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { RunDeletion } from '../../generated/client.js';
import { NO_WORKSPACE } from '../store/run-changes.store.js';

/** Rows that one transaction deletes. */
const EVENTS_AT_ONCE = 10_000;
const CLOSING_MS_MAX = 60_000;

export type Deletion = RunDeletion;

/** The deletions of a run, step by step; each step may be repeated. */
@Injectable()
export class RunDeletionsStore {
  constructor(private readonly db: Database) {}

  /** Records the request while the run is locked; a later request takes the place of one that is not accepted. */
  async request(
    tx: Transaction,
    of: Pick<Deletion, 'runId' | 'workspaceId' | 'requestedBy'>,
  ): Promise<Deletion> {
    const requested = { ...of, requestId: newId(), requestedAt: new Date() };
    const { runId } = of;
    return await tx.runDeletion.upsert({ where: { runId }, create: requested, update: requested });
  }

  /** Takes a request back, unless another came since or it was accepted. */
  async withdraw({ runId, requestId }: Deletion): Promise<void> {
    await this.db.runDeletion.deleteMany({ where: { runId, requestId, acceptedAt: null } });
  }

  /** From now on no reader finds the run, and nothing is written for it. */
  async accept({ acceptedAt: _, ...deletion }: Deletion): Promise<void> {
    const { runId } = deletion;
    await this.db.$transaction(async (tx) => {
      const moved = await tx.$executeRaw`
        UPDATE runs SET workspace_id = ${NO_WORKSPACE}::uuid, request_id = NULL, number = NULL, score_due_at = NULL,
                        race_due_at = NULL, announced_at = COALESCE(announced_at, now())
         WHERE id = ${runId}::uuid`;
      // Without its run the deletion is done.
      if (moved === 0) return;
      const acceptedAt = new Date();
      await tx.runDeletion.upsert({
        where: { runId },
        create: { ...deletion, acceptedAt },
        update: { acceptedAt },
      });
    });
  }

  /** Deletions that are not done, the oldest first. */
  async list(take: number): Promise<Deletion[]> {
    return await this.db.runDeletion.findMany({ orderBy: [{ requestedAt: 'asc' }, { runId: 'asc' }], take });
  }

  /** How many were deleted; fewer than there are when there are many. */
  async removeEvents(runId: string): Promise<number> {
    return await this.db.$executeRaw`
      DELETE FROM events
       WHERE run_id = ${runId}::uuid
         AND position <= (SELECT position FROM events WHERE run_id = ${runId}::uuid
                           ORDER BY position OFFSET ${EVENTS_AT_ONCE - 1} LIMIT 1)`;
  }

  /** The last step: what is left of the run, and the deletion itself. Returns how many events were left. */
  async close(runId: string): Promise<number> {
    return await this.db.$transaction(
      async (tx) => {
        const { count } = await tx.event.deleteMany({ where: { runId } });
        await tx.modelTurn.deleteMany({ where: { runId } });
        await tx.run.deleteMany({ where: { id: runId, workspaceId: NO_WORKSPACE } });
        await tx.runDeletion.deleteMany({ where: { runId } });
        return count;
      },
      { timeout: CLOSING_MS_MAX },
    );
  }
}

/** Fails with `conflict` for a run whose deletion was requested. To be called while the run is locked. */
export async function checkNotDeleted(tx: Transaction, runId: string): Promise<void> {
  if ((await tx.runDeletion.count({ where: { runId } })) === 0) return;
  throw new ContractError('conflict', `The run ${runId} is being deleted: nothing of it runs again.`);
}
