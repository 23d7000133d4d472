import type { AttemptResult, AttemptState, RunStatus } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database.js';
import type { Prisma } from '../generated/client.js';

/** An attempt with what is needed to plan it. */
export interface AttemptContext {
  id: string;
  runId: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
  state: AttemptState;
  delivery: number;
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

/** Who an attempt is, for counts and facts. */
export interface AttemptIdentity {
  id: string;
  runAgentId: string;
  caseKey: string;
  repetition: number;
}

export interface Claim {
  attemptId: string;
  executorId: string;
  leaseUntil: Date;
  now: Date;
}

/** Which delivery somebody claims to hold. */
export interface Holder {
  attemptId: string;
  delivery: number;
  /** Absent for the orchestrator, which may end anyone's. */
  executorId?: string;
}

export interface DeliveryEnd extends Holder {
  result: AttemptResult;
  now: Date;
  /** When the attempt is tried again; absent: it is finished. */
  notBefore?: Date;
  /** Events of the delivery that the same change stores. */
  eventsAdded: number;
  /** When to ask for the score again; when to do without the events that are missing. */
  scoreDueAt: Date;
  eventsDueAt: Date;
}

/** A request for the score of a finished attempt. */
export interface ScoreNudge {
  id: string;
  runAgentId: string;
  delivery: number;
  scoreNudge: number;
}

export interface ClaimedDelivery extends AttemptIdentity {
  delivery: number;
}

export interface EndedDelivery extends AttemptIdentity, ScoreNudge {
  from: AttemptState;
  /** Whether all its events are stored. */
  isWhole: boolean;
}

export interface CancelledAttempt extends AttemptIdentity {
  isScored: boolean;
}

/** A job that is sent for a waiting attempt. `delivery` is the last one that there was. */
export interface Nudge {
  id: string;
  ordinal: number;
  delivery: number;
  nudge: number;
}

/** The rows of attempts and their deliveries. What changes them runs inside a change of their run. */
@Injectable()
export class AttemptsStore {
  constructor(private readonly db: Database) {}

  async findContext(attemptId: string): Promise<AttemptContext | undefined> {
    const [row] = await this.db.$queryRaw<AttemptContext[]>`
      SELECT a.id, a.run_id AS "runId", a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state,
             a.delivery, a.not_before AS "notBefore", a.executor_id AS "executorId", a.result,
             r.workspace_id AS "workspaceId", r.status AS "runStatus", r.version_id AS "versionId",
             r.evaluation_spec_id AS "evaluationSpecId", r.input_set_key AS "inputSetKey", r.limits
        FROM attempts a JOIN runs r ON r.id = a.run_id
       WHERE a.id = ${attemptId}::uuid`;
    return row;
  }

  /** Takes the next delivery of a queued attempt; nothing when another was faster. */
  async claim(
    tx: Transaction,
    { attemptId, executorId, leaseUntil, now }: Claim,
  ): Promise<ClaimedDelivery | undefined> {
    const [row] = await tx.$queryRaw<ClaimedDelivery[]>`
      WITH won AS (
        UPDATE attempts
           SET state = 'preparing', delivery = delivery + 1, executor_id = ${executorId}, not_before = NULL,
               lease_until = ${leaseUntil}::timestamptz, started_at = COALESCE(started_at, ${now}::timestamptz)
         WHERE id = ${attemptId}::uuid AND state = 'queued'
           AND (not_before IS NULL OR not_before <= ${now}::timestamptz)
        RETURNING id, run_agent_id, case_key, repetition, delivery),
      opened AS (
        INSERT INTO deliveries (attempt_id, delivery, executor_id, started_at)
        SELECT id, delivery, ${executorId}, ${now}::timestamptz FROM won)
      SELECT id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition, delivery FROM won`;
    return row;
  }

  /** Extends the lease of a held delivery; nothing when it is not held by this executor. */
  async renew(holder: Required<Holder>, leaseUntil: Date) {
    const { attemptId, delivery, executorId } = holder;
    const [row] = await this.db.$queryRaw<{ state: AttemptState; runId: string; runStatus: RunStatus }[]>`
      UPDATE attempts a SET lease_until = ${leaseUntil}::timestamptz
        FROM runs r
       WHERE r.id = a.run_id AND a.id = ${attemptId}::uuid AND a.delivery = ${delivery}
         AND a.executor_id = ${executorId} AND a.state NOT IN ('queued', 'finished')
      RETURNING a.state, a.run_id AS "runId", r.status AS "runStatus"`;
    return row;
  }

  /** Moves a held delivery on, if it is still where it was. */
  async move(tx: Transaction, { attemptId, delivery }: Holder, from: AttemptState, to: AttemptState) {
    const [row] = await tx.$queryRaw<AttemptIdentity[]>`
      UPDATE attempts SET state = ${to}
       WHERE id = ${attemptId}::uuid AND delivery = ${delivery} AND state = ${from}
      RETURNING id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition`;
    return row;
  }

  /** Ends a held delivery and finishes or queues its attempt; nothing when it is not held (any more). */
  async end(tx: Transaction, end: DeliveryEnd): Promise<EndedDelivery | undefined> {
    const { attemptId, delivery, executorId = null, result, now, notBefore = null, eventsAdded } = end;
    const text = JSON.stringify(result);
    const isOver = notBefore === null;
    const [row] = await tx.$queryRaw<EndedDelivery[]>`
      WITH held AS (
        SELECT a.id, a.state, d.events_stored + ${eventsAdded} >= ${result.last_sequence} AS is_whole
          FROM attempts a JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
         WHERE a.id = ${attemptId}::uuid AND a.delivery = ${delivery} AND a.state NOT IN ('queued', 'finished')
           AND (${executorId}::text IS NULL OR a.executor_id = ${executorId})),
      closed AS (
        UPDATE deliveries d
           SET finished_at = ${now}::timestamptz, result = ${text}::json, last_sequence = ${result.last_sequence}
          FROM held WHERE d.attempt_id = held.id AND d.delivery = ${delivery}),
      done_waiting AS (DELETE FROM awaited_turns t USING held WHERE t.attempt_id = held.id)
      UPDATE attempts a
         SET state = ${isOver ? 'finished' : 'queued'}, executor_id = NULL, lease_until = NULL,
             outcome = ${isOver ? result.outcome : null}, result = ${isOver ? text : null}::json,
             finished_at = ${isOver ? now : null}::timestamptz, not_before = ${notBefore}::timestamptz,
             nudged_at = NULL, score_nudge = CASE WHEN ${isOver} AND held.is_whole THEN 1 ELSE 0 END,
             score_due_at = CASE WHEN NOT ${isOver} THEN NULL
                                 WHEN held.is_whole THEN ${end.scoreDueAt}::timestamptz
                                 ELSE ${end.eventsDueAt}::timestamptz END
        FROM held WHERE a.id = held.id
      RETURNING a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.delivery,
                held.state AS "from", held.is_whole AS "isWhole", a.score_nudge AS "scoreNudge"`;
    return row;
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
    return await tx.$queryRaw<CancelledAttempt[]>`
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
  async askScore(
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

  /** Takes attempts that wait for a job, in order, and counts the nudge. Who waits for a person takes no room. */
  async takeWaiting(tx: Transaction, runId: string, options: { room: number; now: Date }) {
    const { room, now } = options;
    return await tx.$queryRaw<Nudge[]>`
      UPDATE attempts SET nudged_at = ${now}::timestamptz, nudge = nudge + 1
       WHERE id IN (
        SELECT id FROM attempts
         WHERE run_id = ${runId}::uuid AND state = 'queued' AND nudged_at IS NULL
           AND (not_before IS NULL OR not_before <= ${now}::timestamptz)
         ORDER BY ordinal
         LIMIT GREATEST(0, ${room} - (
           SELECT count(*) FROM attempts
            WHERE run_id = ${runId}::uuid
              AND ((state = 'queued' AND nudged_at IS NOT NULL)
                   OR state NOT IN ('queued', 'parked', 'finished')))))
      RETURNING id, ordinal, delivery, nudge`;
  }

  /** Puts a waiting attempt back into line: no job is out for it, and none is sent before a moment. */
  async putBack(tx: Transaction, id: string, notBefore: Date): Promise<void> {
    await tx.attempt.updateMany({ where: { id, state: 'queued' }, data: { nudgedAt: null, notBefore } });
  }

  /** Counts one more nudge of those whose last job is older than `before` and still unclaimed. */
  async nudgeAgain(tx: Transaction, ids: string[], times: { before: Date; now: Date }) {
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

  async findDelivery(attemptId: string, delivery: number) {
    return await this.db.delivery.findUnique({ where: { attemptId_delivery: { attemptId, delivery } } });
  }
}
