import type { Deployment, DeploymentSpec } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { Prisma, type Deployment as Row } from '../generated/client.js';

export interface DeploymentList {
  workspaceId: string;
  status?: 'active' | 'archived' | undefined;
  name?: string | undefined;
  after?: string | undefined;
  take: number;
}

export interface Revision {
  deployment: Deployment;
  spec: DeploymentSpec;
  actor: string;
}

/** A name that another active deployment of the workspace has. */
export const NAME_TAKEN = 'name taken';
/** The row changed since it was read. */
export const OUTDATED = 'outdated';

@Injectable()
export class DeploymentsStore {
  constructor(private readonly db: Database) {}

  async create(
    workspaceId: string,
    spec: DeploymentSpec,
    actor: string,
  ): Promise<Deployment | typeof NAME_TAKEN> {
    const data = { id: newId(), workspaceId, ...columns(spec), createdBy: actor, updatedBy: actor };
    return await unlessTaken(async () => asDeployment(await this.db.deployment.create({ data })));
  }

  /** Writes the next revision over the one that was read. */
  async revise({
    deployment,
    spec,
    actor,
  }: Revision): Promise<Deployment | typeof NAME_TAKEN | typeof OUTDATED> {
    const { id, revision } = deployment;
    const data = { ...columns(spec), revision: revision + 1, updatedAt: new Date(), updatedBy: actor };
    return await unlessTaken(async () => {
      const [row] = await this.db.deployment.updateManyAndReturn({
        where: { id, revision, status: 'active' },
        data,
      });
      return row === undefined ? OUTDATED : asDeployment(row);
    });
  }

  async find(workspaceId: string, id: string): Promise<Deployment | undefined> {
    const row = await this.db.deployment.findFirst({ where: { workspaceId, id } });
    return row === null ? undefined : asDeployment(row);
  }

  /** Those of the ids that exist, in no order. */
  async findMany(workspaceId: string, ids: string[]): Promise<Deployment[]> {
    return (await this.db.deployment.findMany({ where: { workspaceId, id: { in: ids } } })).map(asDeployment);
  }

  async list({ workspaceId, status, name, after, take }: DeploymentList): Promise<Deployment[]> {
    const rows = await this.db.deployment.findMany({
      where: {
        workspaceId,
        ...(status !== undefined && { status }),
        ...(name !== undefined && { name }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take,
    });
    return rows.map(asDeployment);
  }

  async archive(id: string): Promise<Deployment> {
    const data = { status: 'archived', activeName: null, updatedAt: new Date() };
    return asDeployment(await this.db.deployment.update({ where: { id }, data }));
  }

  async ping(): Promise<void> {
    await this.db.$queryRaw`SELECT 1`;
  }
}

function columns({ name, kind, runtime_profile_id, config }: DeploymentSpec) {
  return {
    name,
    activeName: name,
    kind,
    runtimeProfileId: runtime_profile_id ?? null,
    config: config as Prisma.InputJsonObject,
  };
}

function asDeployment(row: Row): Deployment {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as Deployment['kind'],
    revision: row.revision,
    runtime_profile_id: row.runtimeProfileId,
    config: row.config as Deployment['config'],
    status: row.status as Deployment['status'],
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T | typeof NAME_TAKEN> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return NAME_TAKEN;
    throw error;
  }
}
