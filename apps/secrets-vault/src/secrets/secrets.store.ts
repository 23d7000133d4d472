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

/**
 * The keys of secrets that sign deliveries of webhooks begin with this, which no key of a user can: requests about
 * secrets of users never read, name or remove one.
 */
const SIGNING = 'webhook/';

/** The key under which the secret of a webhook is stored. */
export function signingKeyOf(webhookId: string): string {
  return SIGNING + webhookId;
}

const OF_USERS = { NOT: { key: { startsWith: SIGNING } } };

@Injectable()
export class SecretsStore {
  constructor(private readonly db: Database) {}

  async list(workspaceId: string): Promise<SecretMetadata[]> {
    const rows = await this.db.secret.findMany({
      where: { workspaceId, ...OF_USERS },
      orderBy: { key: 'asc' },
    });
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

  /** Of the named secrets of users those that exist. */
  async find(workspaceId: string, keys: readonly string[]): Promise<StoredSecret[]> {
    const rows = await this.db.secret.findMany({
      where: { workspaceId, key: { in: [...keys] }, ...OF_USERS },
    });
    return rows.map((row) => ({ ...row, binding: bindingOf(row) }));
  }

  /** The secret that signs deliveries of a webhook. */
  async findSigning(workspaceId: string, webhookId: string): Promise<StoredSecret | undefined> {
    const where = { workspaceId_key: { workspaceId, key: signingKeyOf(webhookId) } };
    const row = await this.db.secret.findUnique({ where });
    return row === null ? undefined : { ...row, binding: bindingOf(row) };
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
