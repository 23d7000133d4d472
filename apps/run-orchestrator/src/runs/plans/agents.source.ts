import { ContractError, type Deployment, type RuntimeProfile } from '@agentclash/contracts';
import {
  type AgentSnapshot,
  artifactIdsOf,
  lanesOf,
  snapshotOf,
  type WorkspaceResources,
} from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { DeploymentsStore } from '../../catalogue/deployments/deployments.store.js';
import { ProfilesStore } from '../../catalogue/profiles/profiles.store.js';
import { VersionsSource } from './versions.source.js';

/** Deployments as a run pins them. */
@Injectable()
export class AgentsSource {
  constructor(
    private readonly deployments: DeploymentsStore,
    private readonly profiles: ProfilesStore,
    private readonly versions: VersionsSource,
  ) {}

  /**
   * The lanes of the deployments, in the order of the ids; `variants` are those chosen. Fails as `lanesOf` does, with
   * `not_found` and, for archived and repeated ones, `conflict` and `invalid_input`.
   */
  async snapshots(
    workspaceId: string,
    ids: string[],
    { resources, variants }: { resources: WorkspaceResources; variants?: readonly string[] | undefined },
  ): Promise<AgentSnapshot[]> {
    const deployments = await this.active(workspaceId, ids);
    const lanes = lanesOf(deployments, variants);
    const artifactIds = lanes.flatMap(({ deployment }) => artifactIdsOf(deployment));
    const [profiles, artifacts] = await Promise.all([
      this.profilesOf(workspaceId, deployments),
      this.versions.artifacts(workspaceId, [...new Set(artifactIds)], true),
    ]);
    return lanes.map((lane) =>
      snapshotOf(lane, {
        profile: profiles.get(lane.deployment.runtime_profile_id ?? ''),
        artifacts,
        resources,
      }),
    );
  }

  private async active(workspaceId: string, ids: string[]): Promise<Deployment[]> {
    const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
    if (repeated !== undefined) {
      throw new ContractError('invalid_input', `The deployment ${repeated} is named twice.`, {
        errors: [{ code: 'not_unique', field: 'deployment_ids', message: 'names a deployment twice' }],
      });
    }
    const found = new Map((await this.deployments.findMany(workspaceId, ids)).map((each) => [each.id, each]));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      throw new ContractError('not_found', `There is no deployment ${missing.join(', ')}.`, {
        deployment_ids: missing,
      });
    }
    const archived = [...found.values()].filter(({ status }) => status === 'archived');
    if (archived.length > 0) {
      const names = archived.map(({ name }) => `"${name}"`).join(', ');
      throw new ContractError('conflict', `Archived deployments start no runs: ${names}.`);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  private async profilesOf(
    workspaceId: string,
    deployments: Deployment[],
  ): Promise<Map<string, RuntimeProfile>> {
    const ids = new Set(deployments.flatMap(({ runtime_profile_id }) => runtime_profile_id ?? []));
    const found = await Promise.all([...ids].map((id) => this.profiles.find(workspaceId, id)));
    return new Map(found.flatMap((profile) => (profile ? [[profile.id, profile]] : [])));
  }
}
