import type { Baseline } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Baseline as Row } from '../generated/client.js';

export interface NewBaseline {
  workspaceId: string;
  name: string;
  runId: string;
  runAgentId: string | null;
  agentName: string | null;
  updatedBy: string;
}

@Injectable()
export class BaselinesStore {
  constructor(private readonly db: Database) {}

  async set({ workspaceId, name, ...columns }: NewBaseline): Promise<Baseline> {
    const update = { ...columns, updatedAt: new Date() };
    const row = await this.db.baseline.upsert({
      where: { workspaceId_name: { workspaceId, name } },
      create: { workspaceId, name, ...columns },
      update,
    });
    return asBaseline(row);
  }

  async find(workspaceId: string, name: string): Promise<Baseline | undefined> {
    const row = await this.db.baseline.findUnique({ where: { workspaceId_name: { workspaceId, name } } });
    return row === null ? undefined : asBaseline(row);
  }

  /** By name, those after `after`. */
  async list(workspaceId: string, after: string | undefined, take: number): Promise<Baseline[]> {
    const where = { workspaceId, ...(after !== undefined && { name: { gt: after } }) };
    const rows = await this.db.baseline.findMany({ where, orderBy: { name: 'asc' }, take });
    return rows.map(asBaseline);
  }

  /** Whether there was one. */
  async remove(workspaceId: string, name: string): Promise<boolean> {
    const { count } = await this.db.baseline.deleteMany({ where: { workspaceId, name } });
    return count > 0;
  }
}

function asBaseline({ name, runId, runAgentId, agentName, updatedAt, updatedBy }: Row): Baseline {
  return {
    name,
    run_id: runId,
    run_agent_id: runAgentId,
    agent_name: agentName,
    updated_at: updatedAt.toISOString(),
    updated_by: updatedBy,
  };
}
