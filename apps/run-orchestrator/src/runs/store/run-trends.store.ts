import type { RunTrend } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { AS_READ, agentsOfDeployment, asTrend } from './run-views.store.js';

interface TrendFilter {
  workspaceId: string;
  /** Slug. */
  pack: string | undefined;
  /** Id or name. */
  deployment: string | undefined;
  /** The last one that was seen. */
  after: string | undefined;
  take: number;
}

/** The results of completed runs, one after the other. */
@Injectable()
export class RunTrendsStore {
  constructor(private readonly db: Database) {}

  /** Newest first; of a deployment its lanes alone. */
  async list({ workspaceId, pack, deployment, after, take }: TrendFilter): Promise<RunTrend[]> {
    const lanes = deployment === undefined ? undefined : agentsOfDeployment(deployment);
    const rows = await this.db.run.findMany({
      omit: AS_READ.omit,
      include: { agents: { ...AS_READ.include.agents, ...(lanes && { where: lanes }) } },
      where: {
        workspaceId,
        status: 'completed',
        isDraft: false,
        ...(pack !== undefined && { packSlug: pack }),
        ...(lanes && { agents: { some: lanes } }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take,
    });
    return rows.map(asTrend);
  }
}
