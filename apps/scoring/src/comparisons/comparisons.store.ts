import { RunComparison, type StoredComparison } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

@Injectable()
export class ComparisonsStore {
  constructor(private readonly db: Database) {}

  async find(workspaceId: string, id: string): Promise<StoredComparison | undefined> {
    const row = await this.db.comparison.findFirst({ where: { workspaceId, id } });
    if (row === null) return undefined;
    const content = RunComparison.parse(JSON.parse(row.content));
    return { id, created_at: row.createdAt.toISOString(), ...content };
  }
}
