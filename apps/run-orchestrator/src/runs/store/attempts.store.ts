import type { AttemptResult } from '@agentclash/contracts';
import type { AttemptState, RunStatus } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import { Prisma } from '../../generated/client.js';
import type { UnclaimedAttempt } from '../state/attempt-move.js';

/** An attempt with what is needed to plan it. */
export interface AttemptContext {
  id: string;
  runId: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  state: AttemptState;
  delivery: number;
  deliveriesMax: number;
  notBefore: Date | null;
  executorId: string | null;
  result: AttemptResult | null;
  workspaceId: string;
  runStatus: RunStatus;
  versionId: string;
  evaluationSpecId: string;
  inputSetKey: string;
  limits: object;
}

/** A request for the score of a finished attempt. */
export interface ScoreNudge {
  id: string;
  runAgentId: string;
  delivery: number;
  scoreNudge: number;
}

/** A job that is sent for a waiting attempt. `delivery` is the last one that there was. */
export interface Nudge {
  id: string;
  ordinal: number;
  delivery: number;
  nudge: number;
}

/**
 * The guard of statements that find attempts by their ids: that these are the run's. Compared as text, which no index
 * serves: the planner knows nothing of a run that is minutes old and would walk all of its attempts instead.
 */
export function ofRun(runId: string): Prisma.Sql {
  return Prisma.sql`run_id::text = ${runId.toLowerCase()}`;
}

/** The rows of attempts and their deliveries. What changes them runs inside a change of their run. */
@Injectable()
export class AttemptsStore {
  constructor(private readonly db: Database) {}

  async findContext(attemptId: string): Promise<AttemptContext | undefined> {
    const [context] = await this.findContexts([attemptId]);
    return context;
  }

  /** Those of the attempts that there are, in no order. */
  async findContexts(attemptIds: readonly string[]): Promise<AttemptContext[]> {
    return await this.db.$queryRaw<AttemptContext[]>`
      SELECT a.id, a.run_id AS "runId", a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state,
             a.delivery, a.deliveries_max AS "deliveriesMax", a.not_before AS "notBefore",
             a.executor_id AS "executorId", a.result, r.workspace_id AS "workspaceId", r.status AS "runStatus",
             r.version_id AS "versionId", r.evaluation_spec_id AS "evaluationSpecId",
             r.input_set_key AS "inputSetKey", r.limits
        FROM attempts a JOIN runs r ON r.id = a.run_id
       WHERE a.id = ANY(${attemptIds}::uuid[])`;
  }

  /**
   * Finishes waiting attempts of a cancelled run, some at a time. Those that were never delivered left nothing to
   * judge: they count as scored, with nothing graded.
   */
  async cancelQueued(
    tx: Transaction,
    runId: string,
    options: { result: AttemptResult; now: Date; take: number },
  ) {
    const { result, now, take } = options;
    return await tx.$queryRaw<UnclaimedAttempt[]>`
      UPDATE attempts
         SET state = 'finished', outcome = 'cancelled', result = ${JSON.stringify(result)}::json,
             finished_at = ${now}::timestamptz, not_before = NULL, nudged_at = NULL,
             score_revision = CASE WHEN delivery = 0 THEN 0 END, validity = CASE WHEN delivery = 0 THEN 'invalid' END
       WHERE id IN (SELECT id FROM attempts WHERE run_id = ${runId}::uuid AND state = 'queued' ORDER BY ordinal
                    LIMIT ${take})
      RETURNING id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition,
                score_revision IS NOT NULL AS "isScored"`;
  }

  /** Counts one more request for the score of each attempt; the next is due after a wait that doubles. */
  async requestScores(
    tx: Transaction,
    ids: string[],
    waits: { now: Date; firstMs: number; doublingsMax: number },
  ): Promise<ScoreNudge[]> {
    const { now, firstMs, doublingsMax } = waits;
    return await tx.$queryRaw<ScoreNudge[]>`
      UPDATE attempts
         SET score_nudge = score_nudge + 1,
             score_due_at = ${now}::timestamptz + interval '1 millisecond' * ${firstMs}::int
                            * power(2, LEAST(score_nudge, ${doublingsMax}::int))
       WHERE id = ANY(${ids}::uuid[])
      RETURNING id, run_agent_id AS "runAgentId", delivery, score_nudge AS "scoreNudge"`;
  }

  /** Gives a finished attempt another result; returns who it is and what its outcome was. */
  async replaceResult(tx: Transaction, id: string, result: AttemptResult) {
    const before = await tx.attempt.findUniqueOrThrow({
      where: { id },
      select: { runAgentId: true, outcome: true },
    });
    await tx.attempt.update({
      where: { id },
      data: { outcome: result.outcome, result: result as object as Prisma.InputJsonObject },
    });
    return { runAgentId: before.runAgentId, outcome: before.outcome as AttemptResult['outcome'] };
  }

  /**
   * Takes queued attempts without a job, in order, and counts the nudge: up to `maxInFlight` in flight, at most
   * `maxQueued` of them in the queue, and at most `more` now. Parked attempts are not in flight.
   */
  async takeWaiting(
    tx: Transaction,
    runId: string,
    options: { maxInFlight: number; maxQueued: number; more: number; now: Date },
  ) {
    const { maxInFlight, maxQueued, more, now } = options;
    return await tx.$queryRaw<Nudge[]>`
      WITH handed_out AS (
        SELECT count(*) AS number, count(*) FILTER (WHERE state = 'queued') AS waiting
          FROM attempts
         WHERE run_id = ${runId}::uuid
           AND ((state = 'queued' AND nudged_at IS NOT NULL)
                OR state IN ('preparing', 'running', 'settling', 'verifying')))
      UPDATE attempts SET nudged_at = ${now}::timestamptz, nudge = nudge + 1
       WHERE id IN (
        SELECT id FROM attempts
         WHERE run_id = ${runId}::uuid AND state = 'queued' AND nudged_at IS NULL
           AND (not_before IS NULL OR not_before <= ${now}::timestamptz)
         ORDER BY ordinal
         LIMIT (SELECT GREATEST(0, LEAST(${maxInFlight} - number, ${maxQueued} - waiting, ${more})) FROM handed_out))
      RETURNING id, ordinal, delivery, nudge`;
  }

  /** Puts waiting attempts back into line: no job is out for them, and none is sent before a moment. */
  async putBack(tx: Transaction, ids: string[], notBefore: Date): Promise<void> {
    const where = { id: { in: ids }, state: 'queued' };
    await tx.attempt.updateMany({ where, data: { nudgedAt: null, notBefore } });
  }

  /** Counts one more nudge of those whose last job is older than `before` and still unclaimed. */
  async resendJobs(tx: Transaction, ids: string[], times: { before: Date; now: Date }) {
    return await tx.$queryRaw<Nudge[]>`
      UPDATE attempts SET nudged_at = ${times.now}::timestamptz, nudge = nudge + 1
       WHERE id = ANY(${ids}::uuid[]) AND state = 'queued' AND nudged_at < ${times.before}::timestamptz
      RETURNING id, ordinal, delivery, nudge`;
  }

  /** Deliveries that the attempt may have by itself. */
  async deliveriesMax(tx: Transaction, id: string): Promise<number> {
    const { deliveriesMax } = await tx.attempt.findUniqueOrThrow({
      where: { id },
      select: { deliveriesMax: true },
    });
    return deliveriesMax;
  }

  /** The runs of attempts, by attempt. */
  async findRuns(ids: string[]): Promise<Map<string, string>> {
    const rows = await this.db.$queryRaw<{ id: string; runId: string }[]>`
      SELECT id, run_id AS "runId" FROM attempts WHERE id = ANY(${ids}::uuid[])`;
    return new Map(rows.map(({ id, runId }) => [id, runId]));
  }

  /** The ends of deliveries that are on record. */
  async findEnds(keys: readonly { attemptId: string; delivery: number }[]) {
    return await this.db.delivery.findMany({
      where: { OR: keys.map(({ attemptId, delivery }) => ({ attemptId, delivery })) },
      select: { attemptId: true, delivery: true, executorId: true, lastSequence: true },
    });
  }
}
