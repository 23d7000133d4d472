import type { AttemptResult, AttemptScored } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { UnclaimedAttempt } from '../state/attempt-move.js';
import { ofRun } from './attempts.store.js';

/** Attempts whose jobs became dead letters. */
@Injectable()
export class DeadLettersStore {
  constructor(private readonly db: Database) {}

  /**
   * Finishes those of the attempts that still wait for the dead job. What was never delivered left nothing
   * to judge: it counts as scored, with nothing graded.
   */
  async finishUnclaimed(
    tx: Transaction,
    at: { runId: string; ids: readonly string[]; now: Date },
    result: AttemptResult,
  ): Promise<UnclaimedAttempt[]> {
    return await tx.$queryRaw<UnclaimedAttempt[]>`
      UPDATE attempts
         SET state = 'finished', outcome = ${result.outcome}, result = ${JSON.stringify(result)}::json,
             finished_at = ${at.now}::timestamptz, not_before = NULL, nudged_at = NULL,
             score_revision = CASE WHEN delivery = 0 THEN 0 END, validity = CASE WHEN delivery = 0 THEN 'invalid' END
       WHERE id = ANY(${at.ids}::uuid[]) AND ${ofRun(at.runId)} AND state = 'queued'
         AND nudged_at IS NOT NULL
      RETURNING id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition,
                score_revision IS NOT NULL AS "isScored"`;
  }

  /** The finished ones among these without a score after so many requests. */
  async unscored(runId: string, ids: readonly string[], requestsMin: number) {
    return await this.db.$queryRaw<Pick<AttemptScored, 'attempt_id' | 'run_agent_id' | 'delivery'>[]>`
      SELECT id AS attempt_id, run_agent_id, delivery FROM attempts
       WHERE id = ANY(${ids}::uuid[]) AND ${ofRun(runId)} AND state = 'finished'
         AND score_revision IS NULL AND score_nudge >= ${requestsMin}`;
  }
}
