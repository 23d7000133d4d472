import { Handles, type Serves } from '@agentclash/bus';
import { type ArtifactUser, artifactUsers, type In } from '@agentclash/contracts';
import { Database } from '../../database.js';

const EACH_MAX = 10;

type Row = Omit<ArtifactUser, 'kind'>;

/**
 * The users of a stored file. An id anywhere in a configuration counts: reading JSON apart in the database
 * would fail for texts that hold U+0000, and a reference too many only keeps a file.
 */
@Handles(artifactUsers)
export class ArtifactUsersStore implements Serves<typeof artifactUsers> {
  constructor(private readonly db: Database) {}

  async list(request: In<typeof artifactUsers.list>): Promise<{ items: ArtifactUser[] }> {
    const { workspace_id: workspaceId, artifact_id: artifactId } = request;
    const mention = `%"${artifactId}"%`;
    const deployments = await this.db.$queryRaw<Row[]>`
      SELECT id, name FROM deployments
      WHERE workspace_id = ${workspaceId}::uuid AND kind IN ('program', 'model') AND status = 'active'
        AND (config::text ILIKE ${mention} OR variants::text ILIKE ${mention})
      ORDER BY id DESC LIMIT ${EACH_MAX}`;
    const runs = await this.db.$queryRaw<Row[]>`
      SELECT r.id, r.name FROM runs r
      WHERE r.workspace_id = ${workspaceId}::uuid AND EXISTS (
        SELECT 1 FROM run_agents a
        WHERE a.run_id = r.id AND a.kind IN ('program', 'model') AND a.snapshot::text ILIKE ${mention})
      ORDER BY r.id DESC LIMIT ${EACH_MAX}`;
    return {
      items: [
        ...deployments.map((row) => ({ kind: 'deployment' as const, ...row })),
        ...runs.map((row) => ({ kind: 'run' as const, ...row })),
      ],
    };
  }
}
