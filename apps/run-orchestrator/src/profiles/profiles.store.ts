import { type RuntimeProfile, RuntimeProfileSpec } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { Prisma, type RuntimeProfile as Row } from '../generated/client.js';

export interface ProfileList {
  workspaceId: string;
  name?: string | undefined;
  after?: string | undefined;
  take: number;
}

@Injectable()
export class ProfilesStore {
  constructor(private readonly db: Database) {}

  /** Nothing when the name is taken. */
  async create(workspaceId: string, spec: RuntimeProfileSpec): Promise<RuntimeProfile | undefined> {
    const data = { id: newId(), workspaceId, ...columns(spec) };
    return await unlessTaken(this.db.runtimeProfile.create({ data }).then(asProfile));
  }

  /** Nothing when the name is taken by another. */
  async replace(id: string, spec: RuntimeProfileSpec): Promise<RuntimeProfile | undefined> {
    const data = { ...columns(spec), updatedAt: new Date() };
    return await unlessTaken(this.db.runtimeProfile.update({ where: { id }, data }).then(asProfile));
  }

  async find(workspaceId: string, id: string): Promise<RuntimeProfile | undefined> {
    const row = await this.db.runtimeProfile.findFirst({ where: { workspaceId, id } });
    return row === null ? undefined : asProfile(row);
  }

  async list({ workspaceId, name, after, take }: ProfileList): Promise<RuntimeProfile[]> {
    const rows = await this.db.runtimeProfile.findMany({
      where: {
        workspaceId,
        ...(name !== undefined && { name }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take,
    });
    return rows.map(asProfile);
  }

  /** Names of deployments that use the profile; it was removed when there are none. */
  async remove(id: string): Promise<string[]> {
    return await this.db.$transaction(async (tx) => {
      const users = await tx.deployment.findMany({
        where: { runtimeProfileId: id },
        select: { name: true },
        take: 10,
      });
      if (users.length === 0) await tx.runtimeProfile.delete({ where: { id } });
      return users.map((user) => user.name);
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

async function unlessTaken<T>(writing: Promise<T>): Promise<T | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return undefined;
    throw error;
  }
}
