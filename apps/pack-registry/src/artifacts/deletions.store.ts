import { ContractError } from '@agentclash/contracts';
import { sqlStateOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { Prisma } from '../generated/client.js';
import { BYTES_MS_MAX, lockBytes } from './artifacts.store.js';

/** A version that refers to an artifact. */
export interface VersionUser {
  version_id: string;
  slug: string;
  version_number: number;
}

const USERS_MAX = 10;
/** SQLSTATEs of foreign key violations. */
const FOREIGN_KEY_STATES = new Set(['23503', '23001']);

/**
 * Deletions without dangling references. Versions refer by foreign key. Other services reserve an artifact before they
 * write a reference, for longer than the write may take. A deletion first claims the artifact, which fails while it is
 * reserved, and then queries for references: no further ones can be created.
 */
@Injectable()
export class Deletions {
  constructor(private readonly db: Database) {}

  /** Fails with `conflict` when one of the artifacts is being deleted. */
  async reserve(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const reserved = await this.db.$executeRaw`
      UPDATE artifacts SET reserved_until = now() + interval '60 seconds'
      WHERE id = ANY(${ids}::uuid[]) AND (deleting_until IS NULL OR deleting_until < now())`;
    if (reserved === new Set(ids).size) return;
    throw new ContractError('conflict', 'One of the artifacts is being deleted at this moment.');
  }

  /** Claims an artifact without a reservation; false when it is reserved. A claim blocks reservations until it expires. */
  async claim(id: string): Promise<boolean> {
    const claimed = await this.db.$executeRaw`
      UPDATE artifacts SET deleting_until = now() + interval '20 seconds'
      WHERE id = ${id}::uuid AND (reserved_until IS NULL OR reserved_until < now())`;
    return claimed === 1;
  }

  async release(id: string): Promise<void> {
    await this.db.artifact.updateMany({ where: { id }, data: { deletingUntil: null } });
  }

  /** Deletes a claimed artifact. False when a version refers to it, or the claim has expired. */
  async delete(id: string): Promise<boolean> {
    try {
      return (
        (await this.db.$executeRaw`
        DELETE FROM artifacts WHERE id = ${id}::uuid AND deleting_until > now()`) === 1
      );
    } catch (error) {
      if (isReferredTo(error)) return false;
      throw error;
    }
  }

  /** Calls `remove` if no artifact of any workspace has the bytes; blocks their registration meanwhile. */
  async removeBytes(sha256: string, remove: () => Promise<void>): Promise<void> {
    await this.db.$transaction(
      async (tx) => {
        await lockBytes(tx, sha256);
        if ((await tx.artifact.count({ where: { sha256 } })) === 0) await remove();
      },
      { timeout: BYTES_MS_MAX },
    );
  }

  /** At most ten. */
  async versionsUsing(id: string): Promise<VersionUser[]> {
    const rows = await this.db.versionArtifact.findMany({
      where: { artifactId: id },
      orderBy: { versionId: 'asc' },
      take: USERS_MAX,
      select: { version: { select: { id: true, number: true, pack: { select: { slug: true } } } } },
    });
    return rows.map(({ version }) => ({
      version_id: version.id,
      slug: version.pack.slug,
      version_number: version.number,
    }));
  }
}

/** True when a foreign key was violated: Prisma's code, or Postgres' for a raw statement. */
export function isReferredTo(error: unknown): boolean {
  const isPrismas = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';
  return isPrismas || FOREIGN_KEY_STATES.has(sqlStateOf(error) ?? '');
}
