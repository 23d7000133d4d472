import type { SecretMetadata } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Secret as SecretRow } from '../generated/client.js';
import type { Envelope } from './envelope.js';

export interface StoredSecret extends Envelope {
  key: string;
  version: number;
  hosts: string[];
  valueBytes: number;
}

export interface NewVersion {
  workspaceId: string;
  key: string;
  hosts: string[];
  valueBytes: number;
  actor: string;
  /** Encrypts for the version that this becomes. */
  seal: (version: number) => Envelope;
}

export interface Opening {
  workspaceId: string;
  attemptId: string;
  keys: string[];
  actor: string;
}

@Injectable()
export class SecretsStore {
  constructor(private readonly db: Database) {}

  async list(workspaceId: string): Promise<SecretMetadata[]> {
    const rows = await this.db.secret.findMany({ where: { workspaceId }, orderBy: { key: 'asc' } });
    return rows.map(asMetadata);
  }

  /** Writes the next version of a secret and the audit entry; concurrent writers get versions of their own. */
  async write(next: NewVersion): Promise<{ version: number; created: boolean }> {
    const { workspaceId, key, hosts, valueBytes, actor } = next;
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${workspaceId}/${key}`}, 0))`;
      const where = { workspaceId_key: { workspaceId, key } };
      const current = await tx.secret.findUnique({ where, select: { version: true } });
      const version = (current?.version ?? 0) + 1;
      const value = {
        version,
        hosts,
        valueBytes,
        ...next.seal(version),
        updatedBy: actor,
        updatedAt: new Date(),
      };
      await tx.secret.upsert({
        where,
        update: value,
        create: { id: newId(), workspaceId, key, createdBy: actor, ...value },
      });
      await tx.auditEntry.create({ data: { id: newId(), workspaceId, key, action: 'set', actor } });
      return { version, created: current === null };
    });
  }

  /** Whether there was such a secret. */
  async remove(workspaceId: string, key: string, actor: string): Promise<boolean> {
    return await this.db.$transaction(async (tx) => {
      const { count } = await tx.secret.deleteMany({ where: { workspaceId, key } });
      if (count === 0) return false;
      await tx.auditEntry.create({ data: { id: newId(), workspaceId, key, action: 'delete', actor } });
      return true;
    });
  }

  /** Of the named secrets those that exist. */
  async find(workspaceId: string, keys: string[]): Promise<StoredSecret[]> {
    return await this.db.secret.findMany({ where: { workspaceId, key: { in: keys } } });
  }

  async grant(workspaceId: string, runId: string, keys: string[]): Promise<void> {
    const data = keys.map((key) => ({ workspaceId, runId, key }));
    await this.db.grant.createMany({ data, skipDuplicates: true });
  }

  async grantedKeys(workspaceId: string, runId: string): Promise<Set<string>> {
    const rows = await this.db.grant.findMany({ where: { workspaceId, runId }, select: { key: true } });
    return new Set(rows.map((row) => row.key));
  }

  async recordOpening({ workspaceId, attemptId, keys, actor }: Opening): Promise<void> {
    await this.db.$transaction([
      this.db.secret.updateMany({
        where: { workspaceId, key: { in: keys } },
        data: { lastUsedAt: new Date() },
      }),
      this.db.auditEntry.createMany({
        data: keys.map((key) => ({ id: newId(), workspaceId, key, action: 'open', actor, attemptId })),
      }),
    ]);
  }

  /** Ids of the master keys that stored secrets still need. */
  async masterKeyIds(): Promise<string[]> {
    const rows = await this.db.secret.findMany({ distinct: ['masterKeyId'], select: { masterKeyId: true } });
    return rows.map((row) => row.masterKeyId);
  }

  async ping(): Promise<void> {
    await this.db.$queryRaw`SELECT 1`;
  }
}

function asMetadata(row: SecretRow): SecretMetadata {
  return {
    key: row.key,
    hosts: row.hosts,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    created_by: row.createdBy,
    updated_by: row.updatedBy,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
