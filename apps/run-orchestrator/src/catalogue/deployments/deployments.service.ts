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
import { isDangling, writeNamed } from '../resources/resource-errors.js';
import { UnboundSecrets } from '../resources/unbound-secrets.source.js';
import { WorkspaceResource } from '../resources/workspace-resource.js';
import { DeploymentReferences } from './deployment-references.js';
import { DeploymentSecrets } from './deployment-secrets.js';
import { DeploymentsStore, OUTDATED } from './deployments.store.js';

@Handles(deployments)
export class DeploymentsService
  extends WorkspaceResource<'deployment', Deployment, DeploymentsStore>
  implements Serves<typeof deployments>
{
  constructor(
    store: DeploymentsStore,
    private readonly references: DeploymentReferences,
    private readonly secrets: DeploymentSecrets,
    private readonly unbound: UnboundSecrets,
  ) {
    super({ key: 'deployment', noun: 'deployment' }, store);
  }

  async create({ workspace_id, spec, actor }: In<typeof deployments.create>): Promise<SavedDeployment> {
    const references = await this.references.of(workspace_id, spec);
    const deployment = { workspaceId: workspace_id, spec, references, actor };
    const created = await written(spec, () => this.store.create(deployment));
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
    const revision = { deployment, spec, references, actor };
    const revised = await written(spec, () => this.store.revise(revision));
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

  protected override filterOf({ status }: In<typeof deployments.list>): object {
    return status === undefined ? {} : { status };
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

async function written<T>({ name }: DeploymentSpec, write: () => Promise<T>): Promise<T> {
  try {
    return await writeNamed('an active deployment', name, write);
  } catch (error) {
    if (!isDangling(error)) throw error;
    throw new ContractError('conflict', 'What the deployment refers to was just removed by another.');
  }
}
