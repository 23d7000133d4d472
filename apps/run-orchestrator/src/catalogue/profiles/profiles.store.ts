import { type RuntimeProfile, RuntimeProfileSpec } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { Prisma, RuntimeProfile as Row } from '../../generated/client.js';
import { activeDeployments, EditableResourceStore } from '../resources/workspace-resource.store.js';

interface Columns {
  name: string;
  spec: Prisma.InputJsonObject;
}

@Injectable()
export class ProfilesStore extends EditableResourceStore<
  Row,
  RuntimeProfile,
  RuntimeProfileSpec,
  Columns,
  object
> {
  protected readonly table = 'runtime_profiles';

  protected rows(db: Transaction) {
    return db.runtimeProfile;
  }

  protected columns({ name, ...spec }: RuntimeProfileSpec): Columns {
    return { name, spec };
  }

  protected asItem(row: Row): RuntimeProfile {
    return {
      id: row.id,
      ...RuntimeProfileSpec.parse({ ...(row.spec as object), name: row.name }),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    };
  }

  protected async findUsers(tx: Transaction, id: string) {
    return { deployments: await activeDeployments(tx, { runtimeProfileId: id }) };
  }
}
