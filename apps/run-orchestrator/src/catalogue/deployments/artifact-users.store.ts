import type { ArtifactUser } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';

const EACH_MAX = 10;

type Row = Omit<ArtifactUser, 'kind'>;

/**
 * Who refers to a stored file. An id that stands anywhere in a configuration counts: reading JSON apart in the database
 * would fail for texts that hold U+0000, and a reference too many only keeps a file.
 */
@Injectable()
export class ArtifactUsersStore {
  constructor(private readonly db: Database) {}

  async list(workspaceId: string, artifactId: string): Promise<ArtifactUser[]> {
    const mention = `%"${artifactId}"%`;
    const deployments = await this.db.$queryRaw<Row[]>`
      SELECT id, name FROM deployments
      WHERE workspace_id = ${workspaceId}::uuid AND kind = 'program' AND status = 'active'
        AND config::text ILIKE ${mention}
      ORDER BY id DESC LIMIT ${EACH_MAX}`;
    const runs = await this.db.$queryRaw<Row[]>`
      SELECT r.id, r.name FROM runs r
      WHERE r.workspace_id = ${workspaceId}::uuid AND EXISTS (
        SELECT 1 FROM run_agents a
        WHERE a.run_id = r.id AND a.kind = 'program' AND a.snapshot::text ILIKE ${mention})
      ORDER BY r.id DESC LIMIT ${EACH_MAX}`;
    return [
      ...deployments.map((row) => ({ kind: 'deployment' as const, ...row })),
      ...runs.map((row) => ({ kind: 'run' as const, ...row })),
    ];
  }
}
