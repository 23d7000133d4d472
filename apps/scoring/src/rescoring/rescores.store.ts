import type { Rescore } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Rescore as Row } from '../generated/client.js';
import { holdRun } from '../removal/held-run.store.js';
import { newestReview } from '../votes/votes.store.js';

export interface NewRescore {
  workspaceId: string;
  runId: string;
  evaluationSpecId: string;
  specVersionId: string;
  attempts: number;
  createdBy: string;
}

export type StoredRescore = Row;

@Injectable()
export class RescoresStore {
  constructor(private readonly db: Database) {}

  /** Undefined while the run is being scored again already. */
  async create(rescore: NewRescore): Promise<StoredRescore | undefined> {
    const { runId } = rescore;
    return await this.db.$transaction(async (tx) => {
      await holdRun(tx, runId);
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`rescore/${runId}`}, 0))`;
      if ((await tx.rescore.count({ where: { runId, state: 'pending' } })) > 0) return undefined;
      const reviewsThrough = await newestReview(tx, runId);
      return await tx.rescore.create({ data: { id: newId(), ...rescore, reviewsThrough } });
    });
  }

  async find(id: string): Promise<StoredRescore | undefined> {
    return (await this.db.rescore.findUnique({ where: { id } })) ?? undefined;
  }

  async newest(workspaceId: string, runId: string): Promise<StoredRescore | undefined> {
    const where = { workspaceId, runId };
    return (await this.db.rescore.findFirst({ where, orderBy: { id: 'desc' } })) ?? undefined;
  }

  /** Records the progress and that a worker is active. */
  async touch(id: string, scored: number): Promise<void> {
    await this.db.rescore.update({ where: { id }, data: { scored, touchedAt: new Date() } });
  }

  async finish(id: string): Promise<void> {
    await this.db.rescore.update({ where: { id }, data: { state: 'ready', touchedAt: new Date() } });
  }

  /** Pending rescores without an active worker since `before`. */
  async stale(before: Date): Promise<StoredRescore[]> {
    const where = { state: 'pending', touchedAt: { lt: before } };
    return await this.db.rescore.findMany({ where, orderBy: { touchedAt: 'asc' }, take: 100 });
  }
}

export function asRescore(row: StoredRescore): Rescore {
  return {
    id: row.id,
    run_id: row.runId,
    evaluation_spec_id: row.evaluationSpecId,
    state: row.state as Rescore['state'],
    scored: row.scored,
    attempts: row.attempts,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
  };
}
