import type { ModelAlias, ModelAliasSpec } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { ModelAlias as Row } from '../../generated/client.js';
import { USERS_SHOWN, type Users } from '../resources/in-use.js';
import { type ListQuery, sliceOf } from '../resources/resource-list.js';
import { type NameTaken, unlessTaken } from '../resources/unique-name.js';

export type Replaced = { alias: ModelAlias } | { users: Users };

@Injectable()
export class ModelAliasesStore {
  constructor(private readonly db: Database) {}

  async create(workspaceId: string, spec: ModelAliasSpec, actor: string): Promise<ModelAlias | NameTaken> {
    const data = { id: newId(), workspaceId, ...columns(spec), createdBy: actor, updatedBy: actor };
    return await unlessTaken(async () => asAlias(await this.db.modelAlias.create({ data })));
  }

  /** Refused, with the users, when the name changes while active deployments refer to the alias by it. */
  async replace(alias: ModelAlias, spec: ModelAliasSpec, actor: string): Promise<Replaced | NameTaken> {
    return await unlessTaken(() =>
      this.db.$transaction(async (tx) => {
        const users = await lockedUsers(tx, alias.id);
        if (spec.name !== alias.name && users.length > 0) return { users: { deployments: users } };
        const data = { ...columns(spec), updatedAt: new Date(), updatedBy: actor };
        return { alias: asAlias(await tx.modelAlias.update({ where: { id: alias.id }, data })) };
      }),
    );
  }

  async find(workspaceId: string, id: string): Promise<ModelAlias | undefined> {
    const row = await this.db.modelAlias.findFirst({ where: { workspaceId, id } });
    return row === null ? undefined : asAlias(row);
  }

  async named(workspaceId: string, names: string[]): Promise<ModelAlias[]> {
    if (names.length === 0) return [];
    return (await this.db.modelAlias.findMany({ where: { workspaceId, name: { in: names } } })).map(asAlias);
  }

  /** The first that was made for the account. */
  async oldestOf(providerAccountId: string): Promise<ModelAlias | undefined> {
    const row = await this.db.modelAlias.findFirst({ where: { providerAccountId }, orderBy: { id: 'asc' } });
    return row === null ? undefined : asAlias(row);
  }

  async all(workspaceId: string): Promise<ModelAlias[]> {
    return (await this.db.modelAlias.findMany({ where: { workspaceId } })).map(asAlias);
  }

  async list(request: ListQuery): Promise<ModelAlias[]> {
    return (await this.db.modelAlias.findMany(sliceOf(request))).map(asAlias);
  }

  /** The active deployments that use the alias; it was removed when there are none. */
  async remove(id: string): Promise<Users> {
    return await this.db.$transaction(async (tx) => {
      const deployments = await lockedUsers(tx, id);
      if (deployments.length === 0) await tx.modelAlias.deleteMany({ where: { id } });
      return { deployments };
    });
  }
}

/** A writer of a new reference to the alias waits until the transaction ends. */
async function lockedUsers(tx: Transaction, id: string): Promise<string[]> {
  await tx.$queryRaw`SELECT 1 FROM model_aliases WHERE id = ${id}::uuid FOR UPDATE`;
  const where = { modelAliasId: id, status: 'active' };
  const users = await tx.deployment.findMany({ where, select: { name: true }, take: USERS_SHOWN });
  return users.map(({ name }) => name);
}

function columns({ name, provider_account_id, model }: ModelAliasSpec) {
  return { name, providerAccountId: provider_account_id, model };
}

function asAlias(row: Row): ModelAlias {
  return {
    id: row.id,
    name: row.name,
    provider_account_id: row.providerAccountId,
    model: row.model,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
