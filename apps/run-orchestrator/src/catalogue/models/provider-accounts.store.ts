import type { ProviderAccount } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { Prisma, ProviderAccount as Row } from '../../generated/client.js';
import { USERS_SHOWN } from '../resources/resource-errors.js';
import { activeDeployments, EditableResourceStore } from '../resources/workspace-resource.store.js';
import type { StoredAccountSpec } from './account-rules.js';

interface Columns {
  name: string;
  spec: Prisma.InputJsonObject;
}

@Injectable()
export class ProviderAccountsStore extends EditableResourceStore<
  Row,
  ProviderAccount,
  StoredAccountSpec,
  Columns
> {
  protected readonly table = 'provider_accounts';

  /** All of the workspace: which of them a model that a pack names is called at depends on all. */
  async all(workspaceId: string): Promise<ProviderAccount[]> {
    const rows = await this.db.providerAccount.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
    return rows.map((row) => this.asItem(row));
  }

  protected rows(db: Transaction) {
    return db.providerAccount;
  }

  protected columns({ name, ...spec }: StoredAccountSpec): Columns {
    return { name, spec: spec as Prisma.InputJsonObject };
  }

  protected asItem(row: Row): ProviderAccount {
    return {
      id: row.id,
      name: row.name,
      ...(row.spec as Omit<StoredAccountSpec, 'name'>),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    };
  }

  protected async findUsers(tx: Transaction, providerAccountId: string) {
    const where = { providerAccountId };
    const aliases = await tx.modelAlias.findMany({ where, select: { name: true }, take: USERS_SHOWN });
    return {
      model_aliases: aliases.map(({ name }) => name),
      deployments: await activeDeployments(tx, where),
    };
  }
}
