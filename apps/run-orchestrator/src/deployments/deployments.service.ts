import { isDeepStrictEqual } from 'node:util';
import { Bus } from '@agentclash/bus';
import {
  artifacts,
  ContractError,
  type Deployment,
  type DeploymentSpec,
  type deployments,
  type In,
  type Out,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { cutPage, readIdCursor } from '../page-cursor.js';
import { ProfilesStore } from '../profiles/profiles.store.js';
import { DeploymentsStore, NAME_TAKEN, OUTDATED } from './deployments.store.js';

@Injectable()
export class DeploymentsService {
  constructor(
    private readonly store: DeploymentsStore,
    private readonly profiles: ProfilesStore,
    private readonly bus: Bus,
  ) {}

  async create({ workspace_id, spec, actor }: In<typeof deployments.create>): Promise<Deployment> {
    await this.checkReferences(workspace_id, spec);
    const created = await this.store.create(workspace_id, spec, actor);
    return created === NAME_TAKEN ? nameTaken(spec.name) : created;
  }

  async update(ask: In<typeof deployments.update>): Promise<Out<typeof deployments.update>> {
    const { workspace_id, spec, actor } = ask;
    const deployment = await this.get(ask);
    if (deployment.status === 'archived') {
      throw new ContractError(
        'conflict',
        `The deployment "${deployment.name}" is archived: create a new one.`,
      );
    }
    if (isUnchanged(deployment, spec)) return { applied: 'unchanged', deployment };
    await this.checkReferences(workspace_id, spec);
    const revised = await this.store.revise({ deployment, spec, actor });
    if (revised === NAME_TAKEN) return nameTaken(spec.name);
    if (revised === OUTDATED) {
      throw new ContractError(
        'conflict',
        `The deployment "${deployment.name}" was just changed by another. Try again.`,
      );
    }
    return { applied: 'revised', deployment: revised };
  }

  /** Newest first. */
  async list(ask: In<typeof deployments.list>): Promise<Out<typeof deployments.list>> {
    const { workspace_id: workspaceId, status, name, limit, cursor } = ask;
    const found = await this.store.list({
      workspaceId,
      status,
      name,
      after: readIdCursor(cursor),
      take: limit + 1,
    });
    return cutPage(found, limit, (deployment) => deployment.id);
  }

  async get({ workspace_id, deployment_id }: In<typeof deployments.get>): Promise<Deployment> {
    const found = await this.store.find(workspace_id, deployment_id);
    if (found) return found;
    throw new ContractError('not_found', `There is no deployment ${deployment_id}.`);
  }

  /** Idempotent. */
  async archive(ask: In<typeof deployments.archive>): Promise<Deployment> {
    const deployment = await this.get(ask);
    return deployment.status === 'archived' ? deployment : await this.store.archive(deployment.id);
  }

  private async checkReferences(workspaceId: string, { kind, config, runtime_profile_id }: DeploymentSpec) {
    if (runtime_profile_id !== undefined && !(await this.profiles.find(workspaceId, runtime_profile_id))) {
      throw new ContractError('not_found', `There is no runtime profile ${runtime_profile_id}.`, {
        errors: [
          { code: 'unknown_reference', field: 'runtime_profile_id', message: 'names no runtime profile' },
        ],
      });
    }
    const files = kind === 'program' ? (config.files ?? []) : [];
    if (files.length === 0) return;
    const artifact_ids = [...new Set(files.map((file) => file.artifact_id))];
    await this.bus.call(artifacts.getMany, { workspace_id: workspaceId, artifact_ids, reserve: true });
  }
}

function isUnchanged({ name, kind, runtime_profile_id, config }: Deployment, spec: DeploymentSpec): boolean {
  const before = { name, kind, runtime_profile_id, config };
  return isDeepStrictEqual(before, { ...spec, runtime_profile_id: spec.runtime_profile_id ?? null });
}

function nameTaken(name: string): never {
  throw new ContractError('conflict', `There is an active deployment named "${name}" already.`, {
    errors: [{ code: 'not_unique', field: 'name', message: 'is taken' }],
  });
}
