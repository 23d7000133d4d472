import { isDeepStrictEqual } from 'node:util';
import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type Deployment,
  type DeploymentSpec,
  deployments,
  type In,
  type Out,
  type SavedDeployment,
} from '@agentclash/contracts';
import { cutPage, readIdCursor } from '../../page-cursor.js';
import { UnboundSecrets } from '../resources/unbound-secrets.source.js';
import { isDangling, NAME_TAKEN, nameTaken } from '../resources/unique-name.js';
import { DeploymentReferences } from './deployment-references.js';
import { DeploymentSecrets } from './deployment-secrets.js';
import { DeploymentsStore, OUTDATED } from './deployments.store.js';

@Handles(deployments)
export class DeploymentsService implements Serves<typeof deployments> {
  constructor(
    private readonly store: DeploymentsStore,
    private readonly references: DeploymentReferences,
    private readonly secrets: DeploymentSecrets,
    private readonly unbound: UnboundSecrets,
  ) {}

  async create({ workspace_id, spec, actor }: In<typeof deployments.create>): Promise<SavedDeployment> {
    const references = await this.references.of(workspace_id, spec);
    const created = await this.store
      .create({ workspaceId: workspace_id, spec, references, actor })
      .catch(referenceGone);
    if (created === NAME_TAKEN) return nameTaken('an active deployment', spec.name);
    return await this.withWarnings(workspace_id, spec, created);
  }

  async update(request: In<typeof deployments.update>): Promise<Out<typeof deployments.update>> {
    const { workspace_id, spec, actor } = request;
    const deployment = await this.get(request);
    if (deployment.status === 'archived') {
      throw new ContractError(
        'conflict',
        `The deployment "${deployment.name}" is archived: create a new one.`,
      );
    }
    if (isUnchanged(deployment, spec)) {
      return { applied: 'unchanged', deployment: await this.withWarnings(workspace_id, spec, deployment) };
    }
    const references = await this.references.of(workspace_id, spec);
    const revised = await this.store.revise({ deployment, spec, references, actor }).catch(referenceGone);
    if (revised === NAME_TAKEN) return nameTaken('an active deployment', spec.name);
    if (revised === OUTDATED) {
      throw new ContractError(
        'conflict',
        `The deployment "${deployment.name}" was just changed by another. Try again.`,
      );
    }
    return { applied: 'revised', deployment: await this.withWarnings(workspace_id, spec, revised) };
  }

  private async withWarnings(
    workspaceId: string,
    spec: DeploymentSpec,
    deployment: Deployment,
  ): Promise<SavedDeployment> {
    const keys = await this.secrets.of(workspaceId, spec);
    const warnings = await this.unbound.warnings(workspaceId, keys);
    return warnings.length === 0 ? deployment : { ...deployment, warnings };
  }

  /** Newest first. */
  async list(request: In<typeof deployments.list>): Promise<Out<typeof deployments.list>> {
    const { workspace_id: workspaceId, status, name, limit, cursor } = request;
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
  async archive(request: In<typeof deployments.archive>): Promise<Deployment> {
    const deployment = await this.get(request);
    return deployment.status === 'archived' ? deployment : await this.store.archive(deployment.id);
  }
}

function isUnchanged({ name, kind, runtime_profile_id, config }: Deployment, spec: DeploymentSpec): boolean {
  const before = { name, kind, runtime_profile_id, config };
  return isDeepStrictEqual(before, { ...spec, runtime_profile_id: spec.runtime_profile_id ?? null });
}

function referenceGone(error: unknown): never {
  if (!isDangling(error)) throw error;
  throw new ContractError('conflict', 'What the deployment refers to was just removed by another.');
}
