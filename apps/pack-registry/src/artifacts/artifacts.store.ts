import { type Artifact, ContractError, type Page } from '@agentclash/contracts';
import { type BlobStore, decodeIdCursor, literally, newId, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Artifact as ArtifactRow, Prisma } from '../generated/client.js';

export interface NewArtifact {
  workspaceId: string;
  sha256: string;
  bytes: number;
  name: string;
  mediaType?: string | undefined;
  actor: string;
}

export interface ArtifactList {
  workspaceId: string;
  sha256?: string | undefined;
  q?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** The store of artifacts' bytes. */
type Bytes = Pick<BlobStore, 'has'>;

/** Timeout of a transaction that waits for the lock of its bytes and for the blob store. */
export const BYTES_MS_MAX = 12_000;

/** Postgres takes 65,535 parameters in one statement. */
const IDS_AT_ONCE = 10_000;

@Injectable()
export class ArtifactsStore {
  constructor(private readonly db: Database) {}

  /** Idempotent: the same bytes under the same name are one artifact. `bytes` as for `keepBytes`. */
  async register(artifact: NewArtifact, bytes: Bytes): Promise<Artifact> {
    return await this.withBytesLocked(artifact, bytes, async (tx) => asArtifact(await insert(tx, artifact)));
  }

  /**
   * The first artifact of these bytes under any name; created when there is none. `bytes` is queried under the lock that
   * prevents their removal. Fails with `conflict` when they do not exist.
   */
  async keepBytes(artifact: NewArtifact, bytes: Bytes): Promise<Artifact> {
    return await this.withBytesLocked(artifact, bytes, async (tx) => {
      const { workspaceId, sha256 } = artifact;
      const first = await tx.artifact.findFirst({ where: { workspaceId, sha256 }, orderBy: OLDEST_FIRST });
      return asArtifact(first ?? (await insert(tx, artifact)));
    });
  }

  /** Ids of the first artifacts of these bytes, by sha256. */
  async firstIds(workspaceId: string, sha256s: string[]): Promise<Map<string, string>> {
    const rows = await this.db.artifact.findMany({
      where: { workspaceId, sha256: { in: sha256s } },
      distinct: ['sha256'],
      orderBy: [{ sha256: 'asc' }, ...OLDEST_FIRST],
      select: { sha256: true, id: true },
    });
    return new Map(rows.map(({ sha256, id }) => [sha256, id]));
  }

  /** Newest first. */
  async list({ workspaceId, sha256, q, limit, cursor }: ArtifactList): Promise<Page<Artifact>> {
    const before = decodeIdCursor(cursor);
    const rows = await this.db.artifact.findMany({
      where: {
        workspaceId,
        ...(sha256 !== undefined && { sha256 }),
        ...(q !== undefined && { name: { contains: literally(q), mode: 'insensitive' } }),
        ...(before !== undefined && { id: { lt: before } }),
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    return pageOf(rows, limit, { item: asArtifact, sortKey: (row) => row.id });
  }

  async findMany(workspaceId: string, ids: string[]): Promise<Artifact[]> {
    const rows = await this.db.artifact.findMany({ where: { workspaceId, id: { in: ids } } });
    return rows.map(asArtifact);
  }

  async hasAny(): Promise<boolean> {
    return (await this.db.artifact.findFirst({ select: { id: true } })) !== null;
  }

  /** The sha256 that begin so, of all artifacts. */
  async storedBytes(prefix: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.$queryRaw<{ sha256: string }[]>`
      SELECT DISTINCT sha256 FROM artifacts WHERE sha256 >= ${prefix} AND sha256 < ${`${prefix}g`}`;
    return new Set(rows.map(({ sha256 }) => sha256));
  }

  /** Which of the ids are artifacts of the workspace. */
  async knownIds(workspaceId: string, ids: string[]): Promise<string[]> {
    const known: string[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const where = { workspaceId, id: { in: ids.slice(at, at + IDS_AT_ONCE) } };
      const rows = await this.db.artifact.findMany({ where, select: { id: true } });
      known.push(...rows.map(({ id }) => id));
    }
    return known;
  }

  /**
   * Runs `work` under the lock of the bytes: concurrent registrations agree on the first artifact, and wait for a removal
   * of the bytes.
   */
  private async withBytesLocked<T>(
    { sha256 }: NewArtifact,
    bytes: Bytes,
    work: (tx: Prisma.TransactionClient) => Promise<T>,
  ): Promise<T> {
    return await this.db.$transaction(
      async (tx) => {
        await lockBytes(tx, sha256);
        if (await bytes.has(sha256)) return await work(tx);
        throw new ContractError('conflict', 'These bytes were deleted at the same moment. Send them again.');
      },
      { timeout: BYTES_MS_MAX },
    );
  }
}

const OLDEST_FIRST: Prisma.ArtifactOrderByWithRelationInput[] = [{ createdAt: 'asc' }, { id: 'asc' }];

/** Locks these bytes in all workspaces until the transaction ends. */
export async function lockBytes(tx: Prisma.TransactionClient, sha256: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`bytes/${sha256}`}, 0))`;
}

async function insert(
  tx: Prisma.TransactionClient,
  { workspaceId, sha256, bytes, name, mediaType, actor }: NewArtifact,
): Promise<ArtifactRow> {
  const key = { workspaceId, sha256, name };
  const row = { id: newId(), ...key, bytes, mediaType: mediaType ?? null, createdBy: actor };
  await tx.artifact.createMany({ data: [row], skipDuplicates: true });
  return await tx.artifact.findUniqueOrThrow({ where: { workspaceId_sha256_name: key } });
}

function asArtifact(row: ArtifactRow): Artifact {
  return {
    id: row.id,
    sha256: row.sha256,
    bytes: Number(row.bytes),
    name: row.name,
    media_type: row.mediaType,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
  };
}
