import type { ProviderAccount } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { Prisma, ProviderAccount as Row } from '../../generated/client.js';
import { USERS_SHOWN, type Users } from '../resources/in-use.js';
import { type ListQuery, sliceOf } from '../resources/resource-list.js';
import { type NameTaken, unlessTaken } from '../resources/unique-name.js';
import type { StoredAccountSpec } from './account-rules.js';

export interface NewAccount {
  id?: string | undefined;
  workspaceId: string;
  spec: StoredAccountSpec;
  actor: string;
}

@Injectable()
export class ProviderAccountsStore {
  constructor(private readonly db: Database) {}

  async create({ id = newId(), workspaceId, spec, actor }: NewAccount): Promise<ProviderAccount | NameTaken> {
    const data = { id, workspaceId, ...columns(spec), createdBy: actor, updatedBy: actor };
    return await unlessTaken(async () => asAccount(await this.db.providerAccount.create({ data })));
  }

  async replace(id: string, spec: StoredAccountSpec, actor: string): Promise<ProviderAccount | NameTaken> {
    const data = { ...columns(spec), updatedAt: new Date(), updatedBy: actor };
    return await unlessTaken(async () =>
      asAccount(await this.db.providerAccount.update({ where: { id }, data })),
    );
  }

  async find(workspaceId: string, id: string): Promise<ProviderAccount | undefined> {
    const row = await this.db.providerAccount.findFirst({ where: { workspaceId, id } });
    return row === null ? undefined : asAccount(row);
  }

  /** All of the workspace: which of them a model that a pack names is called at depends on all. */
  async all(workspaceId: string): Promise<ProviderAccount[]> {
    const rows = await this.db.providerAccount.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
    return rows.map(asAccount);
  }

  async list(request: ListQuery): Promise<ProviderAccount[]> {
    return (await this.db.providerAccount.findMany(sliceOf(request))).map(asAccount);
  }

  /** The aliases and active deployments that use the account; it was removed when there are none. */
  async remove(id: string): Promise<Users> {
    return await this.db.$transaction(async (tx) => {
      // A writer of a new reference to the account waits for this lock, and then does not find the account.
      await tx.$queryRaw`SELECT 1 FROM provider_accounts WHERE id = ${id}::uuid FOR UPDATE`;
      const where = { providerAccountId: id };
      const shown = { select: { name: true }, take: USERS_SHOWN } as const;
      const aliases = await tx.modelAlias.findMany({ where, ...shown });
      const deployments = await tx.deployment.findMany({ where: { ...where, status: 'active' }, ...shown });
      if (aliases.length + deployments.length === 0) await tx.providerAccount.deleteMany({ where: { id } });
      return {
        model_aliases: aliases.map(({ name }) => name),
        deployments: deployments.map(({ name }) => name),
      };
    });
  }
}

function columns({ name, ...spec }: StoredAccountSpec) {
  return { name, spec: spec as Prisma.InputJsonObject };
}

function asAccount(row: Row): ProviderAccount {
  return {
    id: row.id,
    name: row.name,
    ...(row.spec as Omit<StoredAccountSpec, 'name'>),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
