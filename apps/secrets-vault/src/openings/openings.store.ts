import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

/** Whose secrets: every attempt's of the run, the judges', or those of one run agent, by its id. */
export type Holder = 'run' | 'judges' | (string & {});

export interface Grant {
  holder: Holder;
  key: string;
}

/** The secrets that were opened, and their recipient. */
export interface Opening {
  workspaceId: string;
  runId: string;
  attemptId: string;
  delivery: number;
  actor: string;
  secrets: readonly { key: string; version: number }[];
}

/** Which secrets a run may open, and the record of those that it did. */
@Injectable()
export class OpeningsStore {
  constructor(private readonly db: Database) {}

  /** Adds to what the run may open. */
  async grant(workspaceId: string, runId: string, grants: readonly Grant[]): Promise<void> {
    const data = grants.map(({ holder, key }) => ({ workspaceId, runId, holder, key }));
    await this.db.grant.createMany({ data, skipDuplicates: true });
  }

  async revoke(workspaceId: string, runId: string): Promise<void> {
    await this.db.grant.deleteMany({ where: { workspaceId, runId } });
  }

  async grantedKeys(workspaceId: string, runId: string, holders: Holder[]): Promise<Set<string>> {
    const where = { workspaceId, runId, holder: { in: holders } };
    const rows = await this.db.grant.findMany({ where, select: { key: true } });
    return new Set(rows.map((row) => row.key));
  }

  async record({ workspaceId, secrets, ...opening }: Opening): Promise<void> {
    const keys = secrets.map(({ key }) => key);
    await this.db.$transaction(async (tx) => {
      // Rows are taken by id, as the rotation takes them, so that neither waits for the other in a circle.
      await tx.$executeRaw`
        UPDATE secrets SET last_used_at = now()
          FROM (SELECT id FROM secrets WHERE workspace_id = ${workspaceId}::uuid AND key = ANY(${keys}::text[])
                 ORDER BY id FOR NO KEY UPDATE) used
         WHERE secrets.id = used.id`;
      const entries = secrets.map(({ key, version }) => ({ key, version, id: newId(), workspaceId }));
      const data = entries.map((entry) => ({ ...entry, action: 'open', ...opening }));
      await tx.auditEntry.createMany({ data });
    });
  }
}
