import { GateDecision, GatePolicySpec, RaceComparison, type RunComparison } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { GateDecision as Row } from '../generated/client.js';

export interface NewComparison {
  id: string;
  workspaceId: string;
  content: RunComparison;
}

export type NewDecision = Omit<GateDecision, 'comparison_id' | 'decided_at'> & { decided_by: string };

/** A decision, with what its event names besides. */
export type AnnouncedDecision = GateDecision & { workspace_id: string; decided_by: string };

interface DecisionList {
  workspaceId: string;
  candidateRunId?: string | undefined;
  /** The last comparison of the page before. */
  after?: string | undefined;
  take: number;
}

@Injectable()
export class GateDecisionsStore {
  constructor(private readonly db: Database) {}

  /** Keeps a decision with the comparison behind it. */
  async add({ id, workspaceId, content }: NewComparison, decision: NewDecision): Promise<GateDecision> {
    const row = await this.db.$transaction(async (tx) => {
      await tx.comparison.create({ data: { id, workspaceId, content: JSON.stringify(content) } });
      return await tx.gateDecision.create({
        data: {
          comparisonId: id,
          workspaceId,
          baselineRunId: decision.baseline_run_id,
          candidateRunId: decision.candidate_run_id,
          policyFingerprint: decision.policy_fingerprint,
          policy: JSON.stringify(decision.policy),
          verdict: decision.verdict,
          reasons: decision.reasons,
          notes: decision.notes ?? [],
          detectable: JSON.stringify(decision.detectable ?? {}),
          race: decision.race ? JSON.stringify(decision.race) : null,
          agents: decision.agents ? JSON.stringify(decision.agents) : null,
          exitCode: decision.exit_code,
          decidedBy: decision.decided_by,
        },
      });
    });
    return asDecision(row);
  }

  /** Decisions that were not published yet, oldest first. */
  async unannounced(take: number): Promise<AnnouncedDecision[]> {
    const where = { announcedAt: null };
    const rows = await this.db.gateDecision.findMany({ where, orderBy: { decidedAt: 'asc' }, take });
    return rows.map((row) => ({
      ...asDecision(row),
      workspace_id: row.workspaceId,
      decided_by: row.decidedBy,
    }));
  }

  async noteAnnounced(comparisonId: string): Promise<void> {
    const where = { comparisonId, announcedAt: null };
    await this.db.gateDecision.updateMany({ where, data: { announcedAt: new Date() } });
  }

  /** Newest first. */
  async list({ workspaceId, candidateRunId, after, take }: DecisionList): Promise<GateDecision[]> {
    const rows = await this.db.gateDecision.findMany({
      where: {
        workspaceId,
        ...(candidateRunId !== undefined && { candidateRunId }),
        ...(after !== undefined && { comparisonId: { lt: after } }),
      },
      orderBy: { comparisonId: 'desc' },
      take,
    });
    return rows.map(asDecision);
  }
}

function asDecision(row: Row): GateDecision {
  return {
    verdict: GateDecision.shape.verdict.parse(row.verdict),
    reasons: row.reasons,
    exit_code: row.exitCode,
    notes: row.notes,
    detectable: GateDecision.shape.detectable.parse(JSON.parse(row.detectable ?? '{}')),
    ...(row.race !== null && { race: RaceComparison.parse(JSON.parse(row.race)) }),
    ...(row.agents !== null && { agents: GateDecision.shape.agents.parse(JSON.parse(row.agents)) }),
    comparison_id: row.comparisonId,
    policy_fingerprint: row.policyFingerprint,
    policy: GatePolicySpec.parse(JSON.parse(row.policy)),
    baseline_run_id: row.baselineRunId,
    candidate_run_id: row.candidateRunId,
    decided_at: row.decidedAt.toISOString(),
    decided_by: row.decidedBy,
  };
}
