import type { GateDecision, RunComparison } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

export interface NewComparison {
  id: string;
  workspaceId: string;
  content: RunComparison;
}

export type NewDecision = Omit<GateDecision, 'comparison_id' | 'decided_at'> & { decided_by: string };

@Injectable()
export class GateDecisionsStore {
  constructor(private readonly db: Database) {}

  /** Keeps a decision with the comparison behind it. */
  async add({ id, workspaceId, content }: NewComparison, decision: NewDecision): Promise<GateDecision> {
    const { decided_by, ...told } = decision;
    const decided = await this.db.$transaction(async (tx) => {
      await tx.comparison.create({ data: { id, workspaceId, content: JSON.stringify(content) } });
      return await tx.gateDecision.create({
        data: {
          comparisonId: id,
          workspaceId,
          baselineRunId: told.baseline_run_id,
          candidateRunId: told.candidate_run_id,
          policyFingerprint: told.policy_fingerprint,
          policy: JSON.stringify(told.policy),
          verdict: told.verdict,
          reasons: told.reasons,
          exitCode: told.exit_code,
          decidedBy: decided_by,
        },
      });
    });
    return { ...told, comparison_id: id, decided_at: decided.decidedAt.toISOString() };
  }
}
