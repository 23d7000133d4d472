import { Bus } from '@agentclash/bus';
import {
  type Artifact,
  type ArtifactUser,
  type artifacts,
  artifactUsers,
  ContractError,
  type In,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from './artifacts.store.js';
import { Deletions, type VersionUser } from './deletions.store.js';
import { UnusedBytes } from './unused-bytes.js';

@Injectable()
export class ArtifactRemoval {
  constructor(
    private readonly store: ArtifactsStore,
    private readonly deletions: Deletions,
    private readonly bytes: UnusedBytes,
    private readonly bus: Bus,
  ) {}

  /** Fails with `not_found`, and with `artifact_in_use`, naming what refers to the artifact. */
  async remove({ workspace_id, artifact_id: id }: In<typeof artifacts.remove>): Promise<void> {
    const { sha256 } = await this.find(workspace_id, id);
    await this.assertNoVersions(id);
    if (!(await this.deletions.claim(id))) throw reservedError();
    await this.assertNoOtherUsers(workspace_id, id);
    if (!(await this.deletions.delete(id))) {
      await this.deletions.release(id);
      await this.assertNoVersions(id);
      await this.find(workspace_id, id);
      throw reservedError();
    }
    await this.bytes.remove(sha256);
  }

  private async find(workspaceId: string, id: string): Promise<Artifact> {
    const [artifact] = await this.store.findMany(workspaceId, [id]);
    if (artifact === undefined) throw new ContractError('not_found', `There is no artifact ${id}.`);
    return artifact;
  }

  private async assertNoVersions(id: string): Promise<void> {
    const versions = await this.deletions.versionsUsing(id);
    if (versions.length > 0) throw inUse({ versions });
  }

  private async assertNoOtherUsers(workspace_id: string, artifact_id: string): Promise<void> {
    try {
      const { items } = await this.bus.call(artifactUsers.list, { workspace_id, artifact_id });
      if (items.length > 0) throw inUse({ users: items });
    } catch (error) {
      await this.deletions.release(artifact_id);
      throw error;
    }
  }
}

function inUse({
  versions = [],
  users = [],
}: {
  versions?: VersionUser[];
  users?: ArtifactUser[];
}): ContractError {
  const names = [
    ...versions.map(({ slug, version_number }) => `challenge pack ${slug} version ${version_number}`),
    ...users.map(({ kind, id, name }) => (name === null ? `${kind} ${id}` : `${kind} "${name}"`)),
  ];
  return new ContractError('artifact_in_use', `The artifact is used by ${names.join(', ')}.`, {
    ...(versions.length > 0 && { challenge_pack_versions: versions }),
    ...(users.length > 0 && { users }),
  });
}

function reservedError(): ContractError {
  const detail = 'A new reference to the artifact is being created. Try again in a minute.';
  return new ContractError('artifact_in_use', detail);
}
