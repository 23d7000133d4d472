import { SecretBinding, type SecretMetadata } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Secret as SecretRow } from '../generated/client.js';
import type { Envelope } from '../keys/envelope.js';
import { assertMayWrap } from '../keys/keys.store.js';

export interface StoredSecret extends Envelope {
  key: string;
  version: number;
  hosts: string[];
  binding: SecretBinding;
  valueBytes: number;
}

export interface NewVersion {
  workspaceId: string;
  key: string;
  hosts: string[];
  binding: SecretBinding;
  valueBytes: number;
  actor: string;
  /** Encrypts for the version that this becomes. */
  seal: (version: number) => Envelope;
}

@Injectable()
export class SecretsStore {
  constructor(private readonly db: Database) {}

  async list(workspaceId: string): Promise<SecretMetadata[]> {
    const rows = await this.db.secret.findMany({ where: { workspaceId }, orderBy: { key: 'asc' } });
    return rows.map(asMetadata);
  }

  /**
   * Writes the next version of a secret in place of the last one, and the audit entry; concurrent writers get versions
   * of their own. Fails with `unavailable` when the master key was retired.
   */
  async write(next: NewVersion): Promise<{ version: number; created: boolean }> {
    const { workspaceId, key, hosts, binding, valueBytes, actor } = next;
    return await this.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${workspaceId}/${key}`}, 0))`;
      const where = { workspaceId_key: { workspaceId, key } };
      const current = await tx.secret.findUnique({ where, select: { version: true } });
      const version = (current?.version ?? 0) + 1;
      const envelope = next.seal(version);
      await assertMayWrap(tx, envelope.masterKeyId);
      const value = {
        version,
        hosts,
        binding,
        valueBytes,
        ...envelope,
        updatedBy: actor,
        updatedAt: new Date(),
      };
      await tx.secret.upsert({
        where,
        update: value,
        create: { id: newId(), workspaceId, key, createdBy: actor, ...value },
      });
      await tx.auditEntry.create({ data: { id: newId(), workspaceId, key, action: 'set', version, actor } });
      return { version, created: current === null };
    });
  }

  /** True when there was such a secret. */
  async remove(workspaceId: string, key: string, actor: string): Promise<boolean> {
    return await this.db.$transaction(async (tx) => {
      const { count } = await tx.secret.deleteMany({ where: { workspaceId, key } });
      if (count === 0) return false;
      await tx.auditEntry.create({ data: { id: newId(), workspaceId, key, action: 'delete', actor } });
      return true;
    });
  }

  /** Of the named secrets those that exist. */
  async find(workspaceId: string, keys: readonly string[]): Promise<StoredSecret[]> {
    const rows = await this.db.secret.findMany({ where: { workspaceId, key: { in: [...keys] } } });
    return rows.map((row) => ({ ...row, binding: bindingOf(row) }));
  }
}

function asMetadata(row: SecretRow): SecretMetadata {
  return {
    key: row.key,
    hosts: row.hosts,
    binding: bindingOf(row),
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    created_by: row.createdBy,
    updated_by: row.updatedBy,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

function bindingOf({ hosts, binding }: Pick<SecretRow, 'hosts' | 'binding'>): SecretBinding {
  if (binding !== null) return SecretBinding.parse(binding);
  return hosts.length > 0 ? 'host' : 'unbound';
}
