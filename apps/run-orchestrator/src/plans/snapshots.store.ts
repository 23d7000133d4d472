import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { AgentSnapshot } from './agent-snapshot.js';
import { Recent } from './recent.js';

/** A snapshot may hold a megabyte of scripts. */
const SNAPSHOTS_MAX = 32;

/** The snapshots of run agents, which never change. */
@Injectable()
export class SnapshotsStore {
  private readonly snapshots = new Recent<AgentSnapshot>(SNAPSHOTS_MAX);

  constructor(private readonly db: Database) {}

  async get(runAgentId: string): Promise<AgentSnapshot> {
    return await this.snapshots.get(runAgentId, async () => {
      const where = { id: runAgentId };
      const { snapshot } = await this.db.runAgent.findUniqueOrThrow({ where, select: { snapshot: true } });
      return snapshot as object as AgentSnapshot;
    });
  }
}
