import { Handles, type Serves } from '@agentclash/bus';
import { artifactUsers, type In } from '@agentclash/contracts';
import { ArtifactUsersStore } from './artifact-users.store.js';

@Handles(artifactUsers)
export class ArtifactUsersHandlers implements Serves<typeof artifactUsers> {
  constructor(private readonly store: ArtifactUsersStore) {}

  async list({ workspace_id, artifact_id }: In<typeof artifactUsers.list>) {
    return { items: await this.store.list(workspace_id, artifact_id) };
  }
}
