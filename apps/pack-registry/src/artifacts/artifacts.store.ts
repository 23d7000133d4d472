import type { Artifact, Page } from '@agentclash/contracts';
import { decodeCursor, newId, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Artifact as ArtifactRow } from '../generated/client.js';

export interface NewArtifact {
  workspaceId: string;
  sha256: string;
  bytes: number;
  name: string;
  mediaType?: string | undefined;
  actor: string;
}

@Injectable()
export class ArtifactsStore {
  constructor(private readonly db: Database) {}

  /** The same bytes under the same name are one artifact, however often they come. */
  async register({ workspaceId, sha256, bytes, name, mediaType, actor }: NewArtifact): Promise<Artifact> {
    const key = { workspaceId, sha256, name };
    const row = { id: newId(), ...key, bytes, mediaType: mediaType ?? null, createdBy: actor };
    await this.db.artifact.createMany({ data: [row], skipDuplicates: true });
    return asArtifact(await this.db.artifact.findUniqueOrThrow({ where: { workspaceId_sha256_name: key } }));
  }

  /** Newest first. */
  async list(workspaceId: string, limit: number, cursor?: string): Promise<Page<Artifact>> {
    const before = decodeCursor(cursor);
    const rows = await this.db.artifact.findMany({
      where: { workspaceId, ...(before !== undefined && { id: { lt: before } }) },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    return pageOf(rows, limit, { item: asArtifact, sortKey: (row) => row.id });
  }

  async findMany(workspaceId: string, ids: string[]): Promise<Artifact[]> {
    const rows = await this.db.artifact.findMany({ where: { workspaceId, id: { in: ids } } });
    return rows.map(asArtifact);
  }
}

function asArtifact(row: ArtifactRow): Artifact {
  return {
    id: row.id,
    sha256: row.sha256,
    bytes: Number(row.bytes),
    name: row.name,
    media_type: row.mediaType,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
  };
}
