import { type Artifact, type artifacts, ContractError, type In, type Page } from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from './artifacts.store.js';

@Injectable()
export class ArtifactsService {
  constructor(
    private readonly store: ArtifactsStore,
    private readonly blobs: Blobs,
  ) {}

  /** The bytes must lie in the blob store already. */
  async register(ask: In<typeof artifacts.register>): Promise<Artifact> {
    const { bytes } = await this.blobs.artifacts.stat(ask.sha256);
    const { workspace_id: workspaceId, sha256, name, media_type: mediaType, actor } = ask;
    return await this.store.register({ workspaceId, sha256, bytes, name, mediaType, actor });
  }

  async list({ workspace_id, limit, cursor }: In<typeof artifacts.list>): Promise<Page<Artifact>> {
    return await this.store.list(workspace_id, limit, cursor);
  }

  /** Fails with `not_found`, naming the ids that the workspace lacks. */
  async getMany({ workspace_id, artifact_ids }: In<typeof artifacts.getMany>): Promise<Artifact[]> {
    const found = await this.store.findMany(workspace_id, artifact_ids);
    const known = new Set(found.map(({ id }) => id));
    const missing = artifact_ids.filter((id) => !known.has(id));
    if (missing.length === 0) return found;
    throw new ContractError('not_found', `No such artifacts: ${missing.join(', ')}.`, {
      artifact_ids: missing,
    });
  }
}
