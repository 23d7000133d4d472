import type { Workspace } from '@agentclash/api';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Workspace as WorkspaceRow } from '../generated/client.js';

@Injectable()
export class WorkspacesStore {
  constructor(private readonly db: Database) {}

  async list(): Promise<Workspace[]> {
    return (await this.db.workspace.findMany({ orderBy: { slug: 'asc' } })).map(asWorkspace);
  }

  async find(by: { id: string } | { slug: string }): Promise<Workspace | undefined> {
    const row = await this.db.workspace.findUnique({ where: by });
    return row === null ? undefined : asWorkspace(row);
  }

  /** Undefined when the slug is taken. */
  async create(slug: string, name: string): Promise<Workspace | undefined> {
    const [row] = await this.db.workspace.createManyAndReturn({
      data: [{ id: newId(), slug, name }],
      skipDuplicates: true,
    });
    return row === undefined ? undefined : asWorkspace(row);
  }
}

export function asWorkspace(row: WorkspaceRow): Workspace {
  return { id: row.id, slug: row.slug, name: row.name, created_at: row.createdAt.toISOString() };
}
