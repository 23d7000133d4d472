import type { RunShare } from '@agentclash/api';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { RunShare as Row } from '../generated/client.js';

interface NewShare {
  workspaceId: string;
  runId: string;
  sha256: string;
  createdBy: string;
  expiresAt: Date;
}

/** A link that is neither revoked nor expired. */
export interface LiveShare extends RunShare {
  workspaceId: string;
}

@Injectable()
export class SharesStore {
  constructor(private readonly db: Database) {}

  async add(share: NewShare): Promise<RunShare> {
    return asShare(await this.db.runShare.create({ data: { id: newId(), ...share } }));
  }

  async findLive(sha256: string): Promise<LiveShare | undefined> {
    const where = { sha256, revokedAt: null, expiresAt: { gt: new Date() } };
    const row = await this.db.runShare.findFirst({ where });
    return row === null ? undefined : { ...asShare(row), workspaceId: row.workspaceId };
  }

  /** Newest first. */
  async list(workspaceId: string, runId: string): Promise<RunShare[]> {
    const where = { workspaceId, runId, revokedAt: null, expiresAt: { gt: new Date() } };
    return (await this.db.runShare.findMany({ where, orderBy: { id: 'desc' } })).map(asShare);
  }

  /** True when there was such a link. */
  async revoke(workspaceId: string, runId: string, id: string): Promise<boolean> {
    const { count } = await this.db.runShare.updateMany({
      where: { id, workspaceId, runId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    return count > 0;
  }

  /** Stores the use, unless one was stored after `since`. */
  async recordUse(id: string, since: Date): Promise<void> {
    await this.db.runShare.updateMany({
      where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: since } }] },
      data: { lastUsedAt: new Date() },
    });
  }

  /** Removes links that ended before `moment`. */
  async removeEnded(moment: Date): Promise<void> {
    await this.db.runShare.deleteMany({
      where: { OR: [{ expiresAt: { lt: moment } }, { revokedAt: { lt: moment } }] },
    });
  }
}

function asShare(row: Row): RunShare {
  return {
    id: row.id,
    run_id: row.runId,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    expires_at: row.expiresAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
