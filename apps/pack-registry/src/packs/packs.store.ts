import {
  type AuditCertificate,
  ContractError,
  type InputSet,
  type Pack,
  type PackVersion,
  type Page,
} from '@agentclash/contracts';
import { decodeCursor, newId, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { isReferredTo } from '../artifacts/deletions.store.js';
import { AuditPoliciesStore } from '../audits/audit-policies.store.js';
import { certificateIn, NEWEST_CERTIFICATE } from '../audits/audits.store.js';
import { Database } from '../database.js';
import type { InputSet as InputSetRow, Prisma } from '../generated/client.js';
import type { SetCases } from './case-rows.js';
import { insertCases } from './cases.store.js';
import type { LifecycleStatus } from './lifecycle.js';

type WithAudits = { audits: typeof NEWEST_CERTIFICATE };
type VersionRow = Prisma.VersionGetPayload<{
  include: { pack: true } & WithAudits;
  omit: { manifest: true };
}>;
type PackRow = Prisma.PackGetPayload<{
  include: { versions: { omit: { manifest: true }; include: WithAudits } };
}>;

export interface NewVersion {
  pack: { slug: string; name: string; family: string; description?: string | undefined };
  number: number;
  digest: string;
  executionMode: string;
  bundleArtifactId: string;
  /** All that the version refers to, each once. */
  artifactIds: string[];
  summary: string;
  manifest: string;
  actor: string;
  inputSets: NewInputSet[];
}

interface NewInputSet {
  key: string;
  name: string;
  description?: string | undefined;
  challengeKey: string;
  challengeKeys: string[];
  caseCount: number;
  cases: SetCases['batches'];
}

export interface VersionIds {
  packId: string;
  versionId: string;
  evaluationSpecId: string;
  bundleArtifactId: string | null;
  inputSets: { id: string; key: string }[];
}

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

/** Timeout of the transaction of a publish, and what each case adds to it. */
const PUBLISH_MS_MAX = 12_000;
const CASE_MS_MAX = 0.1;
const REFERENCES_AT_ONCE = 10_000;
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
        return decision === 'write'
          ? await write(tx, { workspaceId, version, packId: known?.packId })
          : decision;
      },
      { timeout: PUBLISH_MS_MAX + countOf(version) * CASE_MS_MAX },
    );
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

  /** With all versions, newest first. */
  async find(workspaceId: string, by: { id: string } | { slug: string }): Promise<Pack | undefined> {
    const row = await this.db.pack.findFirst({
      where: { workspaceId, ...by },
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

function countOf({ inputSets }: NewVersion): number {
  return inputSets.reduce((sum, { caseCount }) => sum + caseCount, 0);
}

/** Escapes the wildcards of LIKE, which Prisma does not. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

type Transaction = Prisma.TransactionClient;

async function findSlug(
  tx: Transaction,
  workspaceId: string,
  next: VersionName,
): Promise<KnownSlug | undefined> {
  const pack = await tx.pack.findUnique({
    where: { workspaceId_slug: { workspaceId, slug: next.slug } },
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

async function write(
  tx: Transaction,
  {
    workspaceId,
    version,
    packId: known,
  }: { workspaceId: string; version: NewVersion; packId: string | undefined },
): Promise<VersionIds> {
  const { pack, inputSets, actor, artifactIds, ...columns } = version;
  const packId = known ?? newId();
  const description = pack.description ?? null;
  if (known === undefined) await tx.pack.create({ data: { id: packId, workspaceId, ...pack, description } });
  else if (await isNewest(tx, packId, version.number)) {
    await tx.pack.update({ where: { id: packId }, data: { description } });
  }
  const ids = {
    packId,
    versionId: newId(),
    evaluationSpecId: newId(),
    bundleArtifactId: columns.bundleArtifactId,
  };
  await tx.version.create({
    data: {
      id: ids.versionId,
      packId,
      evaluationSpecId: ids.evaluationSpecId,
      publishedBy: actor,
      ...columns,
    },
  });
  await refer(tx, ids.versionId, artifactIds);
  const sets: VersionIds['inputSets'] = [];
  for (const [position, { cases, ...set }] of inputSets.entries()) {
    const id = newId();
    const row = { ...set, description: set.description ?? null };
    await tx.inputSet.create({ data: { id, versionId: ids.versionId, position, ...row } });
    for await (const batch of cases) await insertCases(tx, id, batch);
    sets.push({ id, key: set.key });
  }
  return { ...ids, inputSets: sets };
}

/** A pack has the description of the version with the highest number, independent of the order of publishing. */
async function isNewest(tx: Transaction, packId: string, number: number): Promise<boolean> {
  return (await tx.version.count({ where: { packId, number: { gt: number } } })) === 0;
}

/** From here on the artifacts cannot be deleted. Fails with `conflict` when one just was. */
async function refer(tx: Transaction, versionId: string, artifactIds: string[]): Promise<void> {
  const data = artifactIds.map((artifactId) => ({ versionId, artifactId }));
  for (let at = 0; at < data.length; at += REFERENCES_AT_ONCE) {
    try {
      await tx.versionArtifact.createMany({ data: data.slice(at, at + REFERENCES_AT_ONCE) });
    } catch (cause) {
      if (!isReferredTo(cause)) throw cause;
      const detail = 'An artifact that the pack names was deleted at the same moment.';
      throw new ContractError('conflict', detail, {}, { cause });
    }
  }
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
