import type { Deployment, DeploymentSpec } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { Prisma, type Deployment as Row } from '../../generated/client.js';
import { ResourceStore } from '../resources/workspace-resource.store.js';

/** Ids of what a deployment refers to beside its profile. */
export interface References {
  providerAccountId?: string | undefined;
  /** Of its first model. */
  modelAliasId?: string | undefined;
  /** All that its configuration and its variants name. */
  modelAliasIds: string[];
  toolIds: string[];
}

export interface NewDeployment {
  workspaceId: string;
  spec: DeploymentSpec;
  references: References;
  actor: string;
}

export interface Revision extends Omit<NewDeployment, 'workspaceId'> {
  deployment: Deployment;
}

/** The row changed since it was read. */
export const OUTDATED = 'outdated';

@Injectable()
export class DeploymentsStore extends ResourceStore<Row, Deployment> {
  async create({ workspaceId, spec, references, actor }: NewDeployment): Promise<Deployment> {
    const data = {
      id: newId(),
      workspaceId,
      ...columns(spec, references),
      createdBy: actor,
      updatedBy: actor,
      tools: { create: references.toolIds.map((toolId) => ({ toolId })) },
      modelAliases: { create: references.modelAliasIds.map((modelAliasId) => ({ modelAliasId })) },
    };
    return asDeployment(await this.db.deployment.create({ data }));
  }

  /** Writes the next revision over the one that was read. */
  async revise({
    deployment: { id, revision },
    spec,
    references,
    actor,
  }: Revision): Promise<Deployment | typeof OUTDATED> {
    const next = { revision: revision + 1, updatedAt: new Date(), updatedBy: actor };
    return await this.db.$transaction(async (tx) => {
      const where = { id, revision, status: 'active' };
      const data = { ...columns(spec, references), ...next };
      const [row] = await tx.deployment.updateManyAndReturn({ where, data });
      if (row === undefined) return OUTDATED;
      await tx.deploymentTool.deleteMany({ where: { deploymentId: id } });
      const attached = references.toolIds.map((toolId) => ({ deploymentId: id, toolId }));
      await tx.deploymentTool.createMany({ data: attached });
      await tx.deploymentModelAlias.deleteMany({ where: { deploymentId: id } });
      const named = references.modelAliasIds.map((modelAliasId) => ({ deploymentId: id, modelAliasId }));
      await tx.deploymentModelAlias.createMany({ data: named });
      return asDeployment(row);
    });
  }

  /** Those of the ids that exist, in no order. */
  async findMany(workspaceId: string, ids: string[]): Promise<Deployment[]> {
    return (await this.db.deployment.findMany({ where: { workspaceId, id: { in: ids } } })).map(asDeployment);
  }

  /** Those that are active under one of the names, in no order. */
  async findActive(workspaceId: string, names: string[]): Promise<Deployment[]> {
    const where = { workspaceId, activeName: { in: names } };
    return (await this.db.deployment.findMany({ where })).map(asDeployment);
  }

  protected rows(db: Transaction) {
    return db.deployment;
  }

  protected asItem(row: Row): Deployment {
    return asDeployment(row);
  }

  async archive(id: string): Promise<Deployment> {
    const data = { status: 'archived', activeName: null, updatedAt: new Date() };
    return asDeployment(await this.db.deployment.update({ where: { id }, data }));
  }
}

function columns(spec: DeploymentSpec, references: References) {
  const { name, kind, runtime_profile_id, config, variants, baseline } = spec;
  return {
    name,
    activeName: name,
    kind,
    runtimeProfileId: runtime_profile_id ?? null,
    providerAccountId: references.providerAccountId ?? null,
    modelAliasId: references.modelAliasId ?? null,
    config: config as Prisma.InputJsonObject,
    variants: variants === undefined ? Prisma.DbNull : (variants as Prisma.InputJsonObject),
    baseline: baseline ?? null,
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
    ...(row.variants !== null && { variants: row.variants as Deployment['variants'] }),
    ...(row.baseline !== null && { baseline: row.baseline }),
    status: row.status as Deployment['status'],
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
