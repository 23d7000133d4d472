import type { In, Page, SecretAuditEntry, vault } from '@agentclash/contracts';
import { decodeIdCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { AuditEntry as AuditRow } from '../generated/client.js';

/** Rows of one statement: a long delete would hold up the writers. */
const FORGET_TAKE = 5_000;

/** The trail of what was done with secrets; entries are added with the change that they are about. */
@Injectable()
export class AuditStore {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  async list(request: In<typeof vault.audit>): Promise<Page<SecretAuditEntry>> {
    const { workspace_id: workspaceId, key, limit, cursor } = request;
    const before = decodeIdCursor(cursor);
    const rows = await this.db.auditEntry.findMany({
      where: {
        workspaceId,
        ...(key !== undefined && { key }),
        ...(before !== undefined && { id: { lt: before } }),
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    return pageOf(rows, limit, { item: asEntry, sortKey: (row) => row.id });
  }

  /** Drops what is older. Returns how many entries went. */
  async forgetBefore(moment: Date): Promise<number> {
    let total = 0;
    for (;;) {
      const count = await this.db.$executeRaw`
        DELETE FROM audit_entries
         WHERE id IN (SELECT id FROM audit_entries WHERE at < ${moment}::timestamptz LIMIT ${FORGET_TAKE})`;
      total += count;
      if (count < FORGET_TAKE) return total;
    }
  }
}

function asEntry(row: AuditRow): SecretAuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    key: row.key,
    action: row.action as SecretAuditEntry['action'],
    version: row.version,
    actor: row.actor,
    run_id: row.runId,
    attempt_id: row.attemptId,
    delivery: row.delivery,
  };
}
