import type { ModelAlias, ModelAliasSpec } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { ModelAlias as Row } from '../../generated/client.js';
import { refuseInUse } from '../resources/resource-errors.js';
import { activeDeployments, EditableResourceStore } from '../resources/workspace-resource.store.js';

interface Columns {
  name: string;
  providerAccountId: string;
  model: string;
}

@Injectable()
export class ModelAliasesStore extends EditableResourceStore<Row, ModelAlias, ModelAliasSpec, Columns> {
  protected readonly table = 'model_aliases';

  /** Fails with `conflict` when the name changes while active deployments refer to the alias by it. */
  override async replace(alias: ModelAlias, spec: ModelAliasSpec, actor: string): Promise<ModelAlias> {
    return await this.db.$transaction(async (tx) => {
      const users = await this.lockUsers(tx, alias.id);
      if (spec.name !== alias.name) refuseInUse(`The name of the model alias "${alias.name}"`, users);
      return await this.update(tx, alias.id, { spec, actor });
    });
  }

  async named(workspaceId: string, names: string[]): Promise<ModelAlias[]> {
    if (names.length === 0) return [];
    const rows = await this.db.modelAlias.findMany({ where: { workspaceId, name: { in: names } } });
    return rows.map((row) => this.asItem(row));
  }

  /** The first that was made for the account. */
  async oldestOf(providerAccountId: string): Promise<ModelAlias | undefined> {
    const row = await this.db.modelAlias.findFirst({ where: { providerAccountId }, orderBy: { id: 'asc' } });
    return row === null ? undefined : this.asItem(row);
  }

  async all(workspaceId: string): Promise<ModelAlias[]> {
    return (await this.db.modelAlias.findMany({ where: { workspaceId } })).map((row) => this.asItem(row));
  }

  protected rows(db: Transaction) {
    return db.modelAlias;
  }

  protected columns({ name, provider_account_id, model }: ModelAliasSpec): Columns {
    return { name, providerAccountId: provider_account_id, model };
  }

  protected asItem(row: Row): ModelAlias {
    return {
      id: row.id,
      name: row.name,
      provider_account_id: row.providerAccountId,
      model: row.model,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    };
  }

  protected async findUsers(tx: Transaction, id: string) {
    const isNamed = { modelAliases: { some: { modelAliasId: id } } };
    return { deployments: await activeDeployments(tx, { OR: [{ modelAliasId: id }, isNamed] }) };
  }
}
