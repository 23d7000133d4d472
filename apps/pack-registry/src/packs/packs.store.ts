import {
  type AuditCertificate,
  type InputSet,
  type Pack,
  type PackVersion,
  type Page,
} from '@agentclash/contracts';
import { decodeCursor, literally, newId, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { AuditPoliciesStore } from '../audits/audit-policies.store.js';
import { certificateIn, NEWEST_CERTIFICATE } from '../audits/audits.store.js';
import { Database } from '../database.js';
import type { InputSet as InputSetRow, Prisma } from '../generated/client.js';
import type { LifecycleStatus } from './lifecycle.js';
import {
  isNewest,
  type NewVersion,
  publishTimeoutMs,
  type Transaction,
  type VersionIds,
  writeVersion,
} from './version-rows.store.js';

type WithAudits = { audits: typeof NEWEST_CERTIFICATE };
type VersionRow = Prisma.VersionGetPayload<{
  include: { pack: true } & WithAudits;
  omit: { manifest: true };
}>;
type PackRow = Prisma.PackGetPayload<{
  include: { versions: { omit: { manifest: true }; include: WithAudits } };
}>;

/** The unique name of a version in its workspace. */
export interface VersionName {
  slug: string;
  number: number;
}

/** The pack of a slug in its workspace. */
export interface KnownSlug {
  packId: string;
  name: string;
  family: string;
  sameNumber?: { manifest: string; ids: VersionIds };
}

export interface PackFilter {
  family?: string | undefined;
  lifecycle_status?: LifecycleStatus | undefined;
  q?: string | undefined;
}

/** Drafts have no slug of their own. */
const PUBLISHED = { draftExpiresAt: null } as const;
const WITHOUT_MANIFEST = { omit: { manifest: true } } as const;
const WITH_AUDITS = { audits: NEWEST_CERTIFICATE } as const;

@Injectable()
export class PacksStore {
  constructor(
    private readonly db: Database,
    private readonly policies: AuditPoliciesStore,
  ) {}

  /**
   * Runs `decide` under a lock of this slug, so that concurrent publishes of it are serialised. A decision to write is
   * carried out in the same transaction.
   */
  async publish(
    workspaceId: string,
    version: NewVersion,
    decide: (known: KnownSlug | undefined) => 'write' | VersionIds,
  ): Promise<VersionIds> {
    return await this.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${workspaceId}/${version.pack.slug}`}, 0))`;
        const known = await findSlug(tx, workspaceId, { slug: version.pack.slug, number: version.number });
        const decision = decide(known);
        return decision === 'write' ? await this.write(tx, { workspaceId, version, known }) : decision;
      },
      { timeout: publishTimeoutMs(version) },
    );
  }

  private async write(
    tx: Transaction,
    {
      workspaceId,
      version,
      known,
    }: { workspaceId: string; version: NewVersion; known: KnownSlug | undefined },
  ): Promise<VersionIds> {
    const { pack, number } = version;
    const packId = known?.packId ?? newId();
    const description = pack.description ?? null;
    if (known === undefined)
      await tx.pack.create({ data: { id: packId, workspaceId, ...pack, description } });
    else if (await isNewest(tx, packId, number)) {
      await tx.pack.update({ where: { id: packId }, data: { description } });
    }
    return await writeVersion(tx, packId, version);
  }

  /** The current pack of the slug of a version, and the version of its number. */
  async findKnown(workspaceId: string, version: VersionName): Promise<KnownSlug | undefined> {
    return await findSlug(this.db, workspaceId, version);
  }

  /** By slug. Without a status filter, deprecated and archived versions and packs without others are omitted. */
  async list(
    workspaceId: string,
    filter: PackFilter,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<Page<Pack>> {
    const after = decodeCursor(page.cursor);
    const versions = { lifecycleStatus: filter.lifecycle_status ?? 'runnable' };
    const rows = await this.db.pack.findMany({
      where: {
        workspaceId,
        ...PUBLISHED,
        versions: { some: versions },
        ...(filter.family !== undefined && { family: filter.family }),
        ...(after !== undefined && { slug: { gt: after } }),
        ...(filter.q !== undefined && {
          OR: [
            { slug: { contains: literally(filter.q), mode: 'insensitive' } },
            { name: { contains: literally(filter.q), mode: 'insensitive' } },
          ],
        }),
      },
      include: {
        versions: { where: versions, orderBy: { number: 'desc' }, include: WITH_AUDITS, ...WITHOUT_MANIFEST },
      },
      orderBy: { slug: 'asc' },
      take: page.limit + 1,
    });
    return pageOf(rows, page.limit, { item: asPack, sortKey: (row) => row.slug });
  }

  /** With all versions, newest first. Drafts are found by id alone. */
  async find(workspaceId: string, by: { id: string } | { slug: string }): Promise<Pack | undefined> {
    const row = await this.db.pack.findFirst({
      where: { workspaceId, ...by, ...('slug' in by && PUBLISHED) },
      include: { versions: { orderBy: { number: 'desc' }, include: WITH_AUDITS, ...WITHOUT_MANIFEST } },
    });
    return row === null ? undefined : asPack(row);
  }

  /** With the reason for which the policy of its workspace refuses runs of it. */
  async findVersion(workspaceId: string, id: string): Promise<PackVersion | undefined> {
    const row = await this.db.version.findFirst({
      where: { id, pack: { workspaceId } },
      include: { pack: true, ...WITH_AUDITS },
      ...WITHOUT_MANIFEST,
    });
    if (row === null) return undefined;
    const version = asVersion(row);
    // The runs of a draft are no results, and no policy is about them.
    if (version.draft_expires_at !== undefined) return version;
    const shortfall = await this.policies.shortfallOf(workspaceId, version.audit);
    return { ...version, ...(shortfall && { audit_shortfall: shortfall }) };
  }

  /** The manifest's canonical JSON and its digest. */
  async findManifest(
    workspaceId: string,
    id: string,
  ): Promise<{ digest: string; manifest: string } | undefined> {
    const where = { id, pack: { workspaceId } };
    return (
      (await this.db.version.findFirst({ where, select: { digest: true, manifest: true } })) ?? undefined
    );
  }

  /** True when the version still had the status `from`. */
  async moveLifecycle(id: string, from: LifecycleStatus, to: LifecycleStatus): Promise<boolean> {
    const where = { id, lifecycleStatus: from };
    const { count } = await this.db.version.updateMany({ where, data: { lifecycleStatus: to } });
    return count === 1;
  }

  async listInputSets(versionId: string): Promise<InputSet[]> {
    const rows = await this.db.inputSet.findMany({ where: { versionId }, orderBy: { position: 'asc' } });
    return rows.map(asInputSet);
  }

  async hasInputSet(workspaceId: string, id: string): Promise<boolean> {
    return (await this.db.inputSet.count({ where: { id, version: { pack: { workspaceId } } } })) > 0;
  }

  /** The id of the version's input set. */
  async findInputSet(workspaceId: string, versionId: string, key: string): Promise<string | undefined> {
    const where = { versionId, key, version: { pack: { workspaceId } } };
    return (await this.db.inputSet.findFirst({ where, select: { id: true } }))?.id;
  }
}

async function findSlug(
  tx: Transaction,
  workspaceId: string,
  next: VersionName,
): Promise<KnownSlug | undefined> {
  const pack = await tx.pack.findFirst({
    where: { workspaceId, slug: next.slug, ...PUBLISHED },
    include: {
      versions: { where: { number: next.number }, include: { inputSets: { orderBy: { position: 'asc' } } } },
    },
  });
  if (pack === null) return undefined;
  const [same] = pack.versions;
  return {
    packId: pack.id,
    name: pack.name,
    family: pack.family,
    ...(same && {
      sameNumber: {
        manifest: same.manifest,
        ids: {
          packId: pack.id,
          versionId: same.id,
          evaluationSpecId: same.evaluationSpecId,
          bundleArtifactId: same.bundleArtifactId,
          inputSets: same.inputSets.map(({ id, key }) => ({ id, key })),
        },
      },
    }),
  };
}

function asPack({ versions, ...row }: PackRow): Pack {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    family: row.family,
    description: row.description,
    created_at: row.createdAt.toISOString(),
    versions: versions.map((version) => asVersion({ ...version, pack: row })),
  };
}

function asVersion(row: VersionRow): PackVersion & { audit: AuditCertificate | null } {
  return {
    id: row.id,
    challenge_pack_id: row.packId,
    slug: row.pack.slug,
    name: row.pack.name,
    version_number: row.number,
    digest: row.digest,
    execution_mode: row.executionMode,
    // Only this store writes it.
    lifecycle_status: row.lifecycleStatus as LifecycleStatus,
    evaluation_spec_id: row.evaluationSpecId,
    bundle_artifact_id: row.bundleArtifactId,
    summary: JSON.parse(row.summary),
    published_at: row.publishedAt.toISOString(),
    published_by: row.publishedBy,
    ...(row.pack.draftExpiresAt !== null && { draft_expires_at: row.pack.draftExpiresAt.toISOString() }),
    audit: certificateIn(row.audits),
  };
}

function asInputSet(row: InputSetRow): InputSet {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    challenge_key: row.challengeKey,
    challenge_keys: row.challengeKeys,
    case_count: row.caseCount,
  };
}
