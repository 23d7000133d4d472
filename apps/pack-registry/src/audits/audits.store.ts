import type { AuditCertificate, AuditReport, PackAudit, PackAuditDetails, Page } from '@agentclash/contracts';
import { decodeIdCursor, newId, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';

export interface NewAudit {
  workspaceId: string;
  versionId: string;
  isQuick: boolean;
  actor: string;
}

/** An audit without its report. */
type Row = Prisma.AuditGetPayload<{ include: typeof WITH_PACK; omit: typeof SHORT }>;

const ACTIVE = { in: ['queued', 'running'] };
const WITH_PACK = { version: { include: { pack: true }, omit: { manifest: true } } } as const;
const SHORT = { report: true } as const;
/** Ended audits that a version keeps, beside the one that counts. */
const KEPT_MAX = 50;

/** Audits as their users see them. */
@Injectable()
export class AuditsStore {
  constructor(private readonly db: Database) {}

  async hasVersion(workspaceId: string, id: string): Promise<boolean> {
    return (await this.db.version.count({ where: { id, pack: { workspaceId } } })) > 0;
  }

  /** Undefined where the version has an active audit already. */
  async insert({ actor, ...audit }: NewAudit): Promise<PackAudit | undefined> {
    const id = newId();
    const data = [{ id, createdBy: actor, ...audit }];
    const { count } = await this.db.audit.createMany({ data, skipDuplicates: true });
    if (count === 0) return undefined;
    return asAudit(await this.db.audit.findUniqueOrThrow({ where: { id }, include: WITH_PACK, omit: SHORT }));
  }

  async findActive(versionId: string): Promise<PackAudit | undefined> {
    const where = { versionId, status: ACTIVE };
    const row = await this.db.audit.findFirst({ where, include: WITH_PACK, omit: SHORT });
    return row === null ? undefined : asAudit(row);
  }

  async countActive(workspaceId: string): Promise<number> {
    return await this.db.audit.count({ where: { workspaceId, status: ACTIVE } });
  }

  /** Newest first. */
  async list(
    of: { workspaceId: string; versionId: string },
    page: { limit: number; cursor?: string | undefined },
  ): Promise<Page<PackAudit>> {
    const before = decodeIdCursor(page.cursor);
    const rows = await this.db.audit.findMany({
      where: { ...of, ...(before !== undefined && { id: { lt: before } }) },
      include: WITH_PACK,
      omit: SHORT,
      orderBy: { id: 'desc' },
      take: page.limit + 1,
    });
    return pageOf(rows, page.limit, { item: asAudit, sortKey: (row) => row.id });
  }

  async find(where: {
    workspaceId: string;
    versionId: string;
    id: string;
  }): Promise<PackAuditDetails | undefined> {
    const row = await this.db.audit.findFirst({ where, include: WITH_PACK });
    if (row === null) return undefined;
    return { ...asAudit(row), report: row.report === null ? null : (JSON.parse(row.report) as AuditReport) };
  }

  /** True when the audit was active. */
  async cancel(id: string): Promise<boolean> {
    const { count } = await this.db.audit.updateMany({
      where: { id, status: ACTIVE },
      data: { status: 'cancelled', finishedAt: new Date(), leaseUntil: null, progress: null },
    });
    return count === 1;
  }

  /** Removes the oldest ended audits of a version beyond those that are kept; the newest completed one always stays. */
  async prune(versionId: string): Promise<void> {
    await this.db.$executeRaw`
      DELETE FROM audits WHERE version_id = ${versionId}::uuid AND finished_at IS NOT NULL
      AND id NOT IN (
        SELECT id FROM audits WHERE version_id = ${versionId}::uuid ORDER BY id DESC LIMIT ${KEPT_MAX})
      AND id NOT IN (
        SELECT id FROM audits WHERE version_id = ${versionId}::uuid AND status = 'completed' AND seed IS NULL
        ORDER BY finished_at DESC LIMIT 1)`;
  }
}

/** The rows of the newest completed audits of versions, for queries of versions. One with a chosen seed, of an earlier version, does not count. */
export const NEWEST_CERTIFICATE = {
  where: { status: 'completed', seed: null },
  orderBy: { finishedAt: 'desc' },
  take: 1,
  select: { certificate: true },
} as const;

/** The certificate of the newest completed audit. */
export function certificateIn(rows: readonly { certificate: string | null }[]): AuditCertificate | null {
  const text = rows[0]?.certificate ?? null;
  return text === null ? null : (JSON.parse(text) as AuditCertificate);
}

function asAudit(row: Row): PackAudit {
  const { version, errorCode, errorMessage } = row;
  return {
    id: row.id,
    challenge_pack_id: version.packId,
    challenge_pack_version_id: row.versionId,
    slug: version.pack.slug,
    version_number: version.number,
    digest: version.digest,
    // Only the stores of this folder write it.
    status: row.status as PackAudit['status'],
    quick: row.isQuick,
    seed: row.seed,
    progress: row.progress === null ? null : JSON.parse(row.progress),
    certificate: certificateIn([row]),
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}
