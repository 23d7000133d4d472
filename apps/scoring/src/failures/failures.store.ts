import type { Failure } from '@agentclash/contracts';
import type { FailureCluster } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { FailureCluster as Row } from '../generated/client.js';
import { holdRun } from '../removal/held-run.store.js';

export interface AgentFailures {
  runAgentId: string;
  agentName: string;
  clusters: readonly FailureCluster[];
}

interface FailureList {
  workspaceId: string;
  runId: string;
  /** The last position of the page before. */
  after: number;
  take: number;
}

export type ListedFailure = Failure & { position: number };

const ROWS_AT_ONCE = 1_000;
const TRANSACTION_MS = 60_000;

@Injectable()
export class FailuresStore {
  constructor(private readonly db: Database) {}

  /** Replaces the failures of the run. */
  async replace(
    { workspaceId, runId }: { workspaceId: string; runId: string },
    agents: readonly AgentFailures[],
  ): Promise<void> {
    const found = agents.flatMap(({ clusters, ...agent }) => clusters.map((cluster) => ({ agent, cluster })));
    const rows = found
      .sort((a, b) => b.cluster.attempts - a.cluster.attempts)
      .map(({ agent, cluster: { key, caseKey, failure, attempts, attemptId } }, index) => ({
        ...{
          runId,
          position: index + 1,
          workspaceId,
          ...agent,
          clusterKey: key,
          caseKey,
          attempts,
          attemptId,
        },
        failureClass: failure.class,
        code: failure.code,
        severity: failure.severity,
        agentFault: failure.agent_fault,
        failingKeys: [...failure.failing_keys],
      }));
    await this.db.$transaction(
      async (tx) => {
        await holdRun(tx, runId);
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`failures ${runId}`}, 0))`;
        await tx.failureCluster.deleteMany({ where: { runId } });
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
          await tx.failureCluster.createMany({ data: rows.slice(start, start + ROWS_AT_ONCE) });
        }
      },
      { timeout: TRANSACTION_MS, maxWait: TRANSACTION_MS },
    );
  }

  /** Most frequent first. */
  async list({ workspaceId, runId, after, take }: FailureList): Promise<ListedFailure[]> {
    const rows = await this.db.failureCluster.findMany({
      where: { workspaceId, runId, position: { gt: after } },
      orderBy: { position: 'asc' },
      take,
    });
    if (rows.length > 0 && (await this.db.removedRun.count({ where: { runId } })) > 0) return [];
    const runs = await this.runsWith(
      workspaceId,
      rows.map(({ clusterKey }) => clusterKey),
    );
    return rows.map((row) => asFailure(row, runs.get(row.clusterKey) ?? 1));
  }

  /** The number of runs of the workspace in which each of these failures was found. */
  private async runsWith(workspaceId: string, clusterKeys: string[]): Promise<Map<string, number>> {
    const pairs = await this.db.failureCluster.groupBy({
      by: ['clusterKey', 'runId'],
      where: { workspaceId, clusterKey: { in: clusterKeys } },
    });
    const runs = new Map<string, number>();
    for (const { clusterKey } of pairs) runs.set(clusterKey, (runs.get(clusterKey) ?? 0) + 1);
    return runs;
  }
}

function asFailure(row: Row, runs: number): ListedFailure {
  return {
    position: row.position,
    cluster_key: row.clusterKey,
    run_agent_id: row.runAgentId,
    agent_name: row.agentName,
    case_key: row.caseKey,
    class: row.failureClass,
    code: row.code,
    severity: row.severity,
    agent_fault: row.agentFault,
    failing_keys: row.failingKeys,
    attempts: row.attempts,
    attempt_id: row.attemptId,
    runs,
  };
}
