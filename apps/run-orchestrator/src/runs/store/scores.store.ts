import type { AttemptScored, PackError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { AttemptScore } from '../state/score-change.js';
import { ofRun } from './attempts.store.js';

/** A finished attempt with the score in its row. */
export interface ScoredRow extends AttemptScore {
  id: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  delivery: number;
  packError: PackError | null;
  /** Number of the last event in the history of that delivery; null without a delivery. */
  lastSequence: number | null;
}

/** The scores in the rows of attempts. */
@Injectable()
export class ScoresStore {
  /** The finished ones among these attempts of the run, by id. */
  async findFinished(
    tx: Transaction,
    runId: string,
    ids: readonly string[],
  ): Promise<Map<string, ScoredRow>> {
    const rows = await tx.$queryRaw<ScoredRow[]>`
      SELECT a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.delivery,
             a.score_revision AS revision, a.overall, a.passed, a.validity, a.pack_error AS "packError",
             GREATEST(d.last_sequence, (SELECT max(e.sequence_number) FROM events e
                                         WHERE e.attempt_id = a.id AND e.delivery = a.delivery)) AS "lastSequence"
        FROM attempts a
        LEFT JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
       WHERE a.id = ANY(${ids}::uuid[]) AND ${ofRun(runId)} AND a.state = 'finished'`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  async write(tx: Transaction, scores: readonly AttemptScored[]): Promise<void> {
    await tx.$executeRaw`
      UPDATE attempts a
         SET score_revision = s.revision, overall = s.overall, passed = s.passed, validity = s.validity,
             pack_error = s.pack_error,
             score_due_at = NULL
        FROM json_to_recordset(${JSON.stringify(scores)}::json) AS s(
             attempt_id uuid, revision int, overall float8, passed boolean, validity text, pack_error json)
       WHERE a.id = s.attempt_id`;
  }

  /** Stops requests for scores that are stored. */
  async settle(tx: Transaction, ids: readonly string[]): Promise<void> {
    await tx.$executeRaw`UPDATE attempts SET score_due_at = NULL WHERE id = ANY(${ids}::uuid[])`;
  }
}
