import { type RuntimeProfile, RuntimeProfileSpec } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { Prisma, RuntimeProfile as Row } from '../../generated/client.js';
import { USERS_SHOWN, type Users } from '../resources/in-use.js';
import { type ListQuery, sliceOf } from '../resources/resource-list.js';
import { type NameTaken, unlessTaken } from '../resources/unique-name.js';

@Injectable()
export class ProfilesStore {
  constructor(private readonly db: Database) {}

  async create(workspaceId: string, spec: RuntimeProfileSpec): Promise<RuntimeProfile | NameTaken> {
    const data = { id: newId(), workspaceId, ...columns(spec) };
    return await unlessTaken(async () => asProfile(await this.db.runtimeProfile.create({ data })));
  }

  async replace(id: string, spec: RuntimeProfileSpec): Promise<RuntimeProfile | NameTaken> {
    const data = { ...columns(spec), updatedAt: new Date() };
    return await unlessTaken(async () =>
      asProfile(await this.db.runtimeProfile.update({ where: { id }, data })),
    );
  }

  async find(workspaceId: string, id: string): Promise<RuntimeProfile | undefined> {
    const row = await this.db.runtimeProfile.findFirst({ where: { workspaceId, id } });
    return row === null ? undefined : asProfile(row);
  }

  async list(request: ListQuery): Promise<RuntimeProfile[]> {
    return (await this.db.runtimeProfile.findMany(sliceOf(request))).map(asProfile);
  }

  /** The active deployments that use the profile; it was removed when there are none. */
  async remove(id: string): Promise<Users> {
    return await this.db.$transaction(async (tx) => {
      // A writer of a new reference to the profile waits for this lock, and then does not find the profile.
      await tx.$queryRaw`SELECT 1 FROM runtime_profiles WHERE id = ${id}::uuid FOR UPDATE`;
      const where = { runtimeProfileId: id, status: 'active' };
      const users = await tx.deployment.findMany({ where, select: { name: true }, take: USERS_SHOWN });
      if (users.length === 0) await tx.runtimeProfile.deleteMany({ where: { id } });
      return { deployments: users.map(({ name }) => name) };
    });
  }
}

function columns({ name, ...spec }: RuntimeProfileSpec): { name: string; spec: Prisma.InputJsonObject } {
  return { name, spec };
}

function asProfile(row: Row): RuntimeProfile {
  return {
    id: row.id,
    ...RuntimeProfileSpec.parse({ ...(row.spec as object), name: row.name }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
