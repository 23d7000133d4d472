import { type Artifact, type artifacts, ContractError, type In, type Page } from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from './artifacts.store.js';
import { Deletions } from './deletions.store.js';

@Injectable()
export class ArtifactsService {
  constructor(
    private readonly store: ArtifactsStore,
    private readonly blobs: Blobs,
    private readonly deletions: Deletions,
  ) {}

  /** The bytes must be in the blob store already, else `conflict`. */
  async register(request: In<typeof artifacts.register>): Promise<Artifact> {
    const { workspace_id: workspaceId, media_type: mediaType, ...given } = request;
    const artifact = { workspaceId, mediaType, ...given };
    return await this.store.register(artifact, this.blobs.artifacts);
  }

  async list({ workspace_id: workspaceId, ...request }: In<typeof artifacts.list>): Promise<Page<Artifact>> {
    return await this.store.list({ workspaceId, ...request });
  }

  /** Fails with `not_found`, naming the ids that the workspace lacks. */
  async getMany({ workspace_id, artifact_ids, reserve }: In<typeof artifacts.getMany>): Promise<Artifact[]> {
    const found = await this.store.findMany(workspace_id, artifact_ids);
    if (reserve) await this.deletions.reserve(found.map(({ id }) => id));
    const known = new Set(found.map(({ id }) => id));
    const missing = artifact_ids.filter((id) => !known.has(id));
    if (missing.length === 0) return found;
    throw new ContractError('not_found', `No such artifacts: ${missing.join(', ')}.`, {
      artifact_ids: missing,
    });
  }
}
