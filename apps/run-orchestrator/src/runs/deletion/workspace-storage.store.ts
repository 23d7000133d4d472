import { DRAFT_RUN_HOURS } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { NO_WORKSPACE } from '../store/run-changes.store.js';

export interface ExpiredRun {
  id: string;
  workspaceId: string;
}

/** The stored bytes of workspaces, and their retention. */
@Injectable()
export class WorkspaceStorageStore {
  constructor(private readonly db: Database) {}

  /** By references: equal bytes count once for each run, also of runs that are being deleted. */
  async usage(workspaceId: string): Promise<{ runs: number; bytes: number }> {
    const [runs, bytes] = await Promise.all([
      this.db.run.count({ where: { workspaceId } }),
      this.evidenceBytes(workspaceId),
    ]);
    return { runs, bytes };
  }

  async evidenceBytes(workspaceId: string): Promise<number> {
    const { _sum } = await this.db.evidenceReference.aggregate({
      where: { workspaceId },
      _sum: { bytes: true },
    });
    return Number(_sum.bytes ?? 0);
  }

  /** Undefined where the workspace has decided nothing; null: for ever. */
  async retentionDays(workspaceId: string): Promise<number | null | undefined> {
    const row = await this.db.workspaceStorage.findUnique({ where: { workspaceId } });
    return row === null ? undefined : row.retentionDays;
  }

  async setRetention(workspaceId: string, retentionDays: number | null | undefined, updatedBy: string) {
    if (retentionDays === undefined) {
      await this.db.workspaceStorage.deleteMany({ where: { workspaceId } });
      return;
    }
    const row = { retentionDays, updatedBy, updatedAt: new Date() };
    await this.db.workspaceStorage.upsert({
      where: { workspaceId },
      create: { workspaceId, ...row },
      update: row,
    });
  }

  /** Runs that ended longer ago than they are kept, those of drafts for a day, by id; `days` where a workspace has decided nothing. */
  async expired(days: number | null, after: string, take: number): Promise<ExpiredRun[]> {
    return await this.db.$queryRaw<ExpiredRun[]>`
      SELECT r.id, r.workspace_id AS "workspaceId"
        FROM runs r LEFT JOIN workspace_storage s ON s.workspace_id = r.workspace_id
       WHERE r.id > ${after}::uuid AND r.workspace_id <> ${NO_WORKSPACE}::uuid
         AND (r.finished_at < now() - interval '1 day'
                              * (CASE WHEN s.workspace_id IS NULL THEN ${days}::int ELSE s.retention_days END)
              OR r.is_draft AND r.finished_at < now() - interval '1 hour' * ${DRAFT_RUN_HOURS}::int)
       ORDER BY r.id LIMIT ${take}`;
  }
}
