import { ContractError, DRAFT_HOURS, DRAFTS_MAX } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { type NewVersion, publishTimeoutMs, type VersionIds, writeVersion } from './version-rows.store.js';

const HOUR_MS = 3_600_000;
const REMOVAL_MS_MAX = 60_000;

export interface Draft extends VersionIds {
  expiresAt: Date;
}

/** Drafts: packs of one version that are in no list and expire. */
@Injectable()
export class DraftsStore {
  constructor(private readonly db: Database) {}

  /** Fails with `conflict` when the workspace has as many as it may. */
  async create(workspaceId: string, version: NewVersion): Promise<Draft> {
    const packId = newId();
    const expiresAt = new Date(Date.now() + DRAFT_HOURS * HOUR_MS);
    const { pack } = version;
    const ids = await this.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${workspaceId}/drafts`}, 0))`;
        const drafts = await tx.pack.count({ where: { workspaceId, draftExpiresAt: { gt: new Date() } } });
        if (drafts >= DRAFTS_MAX) throw tooManyDrafts();
        const description = pack.description ?? null;
        await tx.pack.create({
          data: { id: packId, workspaceId, ...pack, description, draftExpiresAt: expiresAt },
        });
        return await writeVersion(tx, packId, version);
      },
      { timeout: publishTimeoutMs(version) },
    );
    return { ...ids, expiresAt };
  }

  /** Removes the expired draft that is the oldest, with all that refers to it. False: there is none. */
  async removeExpired(): Promise<boolean> {
    return await this.db.$transaction(
      async (tx) => {
        const [draft] = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM packs WHERE draft_expires_at < now()
           ORDER BY draft_expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
        if (draft === undefined) return false;
        const ofDraft = { version: { packId: draft.id } };
        await tx.case.deleteMany({ where: { inputSet: ofDraft } });
        await tx.inputSet.deleteMany({ where: ofDraft });
        await tx.audit.deleteMany({ where: ofDraft });
        await tx.versionArtifact.deleteMany({ where: ofDraft });
        await tx.version.deleteMany({ where: { packId: draft.id } });
        await tx.pack.delete({ where: { id: draft.id } });
        return true;
      },
      { timeout: REMOVAL_MS_MAX },
    );
  }
}

function tooManyDrafts(): ContractError {
  return new ContractError(
    'conflict',
    `The workspace has ${DRAFTS_MAX} drafts, and may have no more. Each is removed ${DRAFT_HOURS} hours after it was stored: publish the pack, or wait.`,
  );
}
