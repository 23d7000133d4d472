import type { AttemptResult, ParkedFate } from '@agentclash/contracts';
import type { AttemptState, Outcome, RunStatus } from '@agentclash/domain';
import type { Database, Transaction } from '../../../database.js';
import type { AttemptIdentity } from '../../state/state-moves.js';
import { ofRun } from './attempt-conditions.store.js';

/** Attempts of one run that one executor claims. */
export interface Claim {
  runId: string;
  attemptIds: readonly string[];
  executorId: string;
  /** The executor's own name for this claim. */
  claimId?: string | undefined;
  leaseUntil: Date;
  now: Date;
}

/** The delivery that a caller claims to hold. */
export interface Holder {
  attemptId: string;
  delivery: number;
  /** Absent for the orchestrator, which may end anyone's. */
  executorId?: string;
}

/** A delivery as executors name it. */
export interface DeliveryName {
  attempt_id: string;
  delivery: number;
}

export interface LeaseExtension {
  executorId: string;
  until: Date;
}

/** A step of a held delivery. */
export interface Move extends Holder {
  from: AttemptState;
  to: AttemptState;
}

/** The end of one delivery. */
export interface DeliveryEnd extends Holder {
  result: AttemptResult;
  /** When the attempt is tried again; absent: it is finished. */
  notBefore?: Date;
  /** Events of the delivery that the same change stores. */
  eventsAdded: number;
}

/** The common members of all deliveries that end in one change. */
export interface EndTimes {
  now: Date;
  /** When the score is requested again; when scoring stops waiting for missing events. */
  scoreDueAt: Date;
  eventsDueAt: Date;
}

export interface ClaimedDelivery extends AttemptIdentity {
  delivery: number;
}

export interface MovedDelivery extends AttemptIdentity {
  from: AttemptState;
  to: AttemptState;
}

/** A request for the score of a finished attempt. */
export interface ScoreRequest {
  id: string;
  runAgentId: string;
  delivery: number;
  requestNumber: number;
}

export interface EndedDelivery extends AttemptIdentity, ScoreRequest {
  from: AttemptState;
  /** True when the attempt is finished; else it waits for its next delivery. */
  isFinished: boolean;
  outcome: Outcome;
  /** The reason in the history. */
  reason: string;
  /** True when all its events are stored. */
  isWhole: boolean;
}

export interface RenewedDelivery {
  id: string;
  runId: string;
  state: AttemptState;
  runStatus: RunStatus;
  /** No more attempts of its lane are needed. */
  isHalted: boolean;
}

/** Takes the next deliveries of queued attempts; leaves out those already claimed. */
export async function claimDeliveries(tx: Transaction, claim: Claim): Promise<ClaimedDelivery[]> {
  const { runId, attemptIds, executorId, claimId = null, leaseUntil, now } = claim;
  return await tx.$queryRaw<ClaimedDelivery[]>`
    WITH won AS (
      UPDATE attempts
         SET state = 'preparing', delivery = delivery + 1, executor_id = ${executorId}, not_before = NULL,
             lease_until = ${leaseUntil}::timestamptz, started_at = COALESCE(started_at, ${now}::timestamptz)
       WHERE id = ANY(${attemptIds}::uuid[]) AND ${ofRun(runId)} AND state = 'queued'
         AND (not_before IS NULL OR not_before <= ${now}::timestamptz)
      RETURNING id, run_agent_id, case_key, repetition, delivery),
    opened AS (
      INSERT INTO deliveries (attempt_id, delivery, executor_id, claim_id, started_at)
      SELECT id, delivery, ${executorId}, ${claimId}::uuid, ${now}::timestamptz FROM won)
    SELECT id, run_agent_id AS "runAgentId", case_key AS "caseKey", repetition, delivery FROM won`;
}

/** Moves held deliveries on; leaves out those that are elsewhere by now. */
export async function moveDeliveries(tx: Transaction, moves: readonly Move[]): Promise<MovedDelivery[]> {
  return await tx.$queryRaw<MovedDelivery[]>`
    UPDATE attempts a SET state = m.to
      FROM json_to_recordset(${JSON.stringify(moves)}::json) AS m(
           "attemptId" uuid, delivery int, "from" text, "to" text)
     WHERE a.id = m."attemptId" AND a.delivery = m.delivery AND a.state = m.from
    RETURNING a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, m.from, m.to`;
}

/** Ends held deliveries, each attempt's once, and finishes or queues their attempts; leaves out what is not held. */
export async function endDeliveries(
  tx: Transaction,
  ends: readonly DeliveryEnd[],
  times: EndTimes,
): Promise<EndedDelivery[]> {
  const { now, scoreDueAt, eventsDueAt } = times;
  return await tx.$queryRaw<EndedDelivery[]>`
    WITH ending AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(ends.map(asRow))}::json) AS e(
             id uuid, delivery int, executor text, result text, outcome text, reason text, last_sequence int,
             not_before timestamptz, events_added int)),
    held AS (
      SELECT a.id, a.state, e.delivery, e.result, e.outcome, e.reason, e.last_sequence, e.not_before,
             e.not_before IS NULL AS is_over, d.events_stored + e.events_added >= e.last_sequence AS is_whole
        FROM ending e
             JOIN attempts a ON a.id = e.id AND a.delivery = e.delivery
             JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
       WHERE a.state NOT IN ('queued', 'finished', 'skipped') AND (e.executor IS NULL OR a.executor_id = e.executor)),
    closed AS (
      UPDATE deliveries d
         SET finished_at = ${now}::timestamptz, result = held.result::json, last_sequence = held.last_sequence
        FROM held WHERE d.attempt_id = held.id AND d.delivery = held.delivery),
    done_waiting AS (DELETE FROM awaited_turns t USING held WHERE t.attempt_id = held.id)
    UPDATE attempts a
       SET state = CASE WHEN held.is_over THEN 'finished' ELSE 'queued' END, executor_id = NULL, lease_until = NULL,
           outcome = CASE WHEN held.is_over THEN held.outcome END,
           result = CASE WHEN held.is_over THEN held.result::json END,
           finished_at = CASE WHEN held.is_over THEN ${now}::timestamptz END, not_before = held.not_before,
           nudged_at = NULL, score_nudge = CASE WHEN held.is_over AND held.is_whole THEN 1 ELSE 0 END,
           score_due_at = CASE WHEN NOT held.is_over THEN NULL
                               WHEN held.is_whole THEN ${scoreDueAt}::timestamptz
                               ELSE ${eventsDueAt}::timestamptz END
      FROM held WHERE a.id = held.id
    RETURNING a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.delivery,
              held.state AS "from", held.is_over AS "isFinished", held.outcome, held.reason,
              held.is_whole AS "isWhole", a.score_nudge AS "requestNumber"`;
}

/**
 * Extends the leases that this executor holds and returns the states of their attempts; leaves out what is not held. One
 * that is being changed right now is not waited for: two that wait for each other's rows would never end.
 */
export async function renewLeases(
  db: Database,
  items: readonly DeliveryName[],
  lease: LeaseExtension,
): Promise<RenewedDelivery[]> {
  const ids = items.map(({ attempt_id }) => attempt_id);
  const deliveries = items.map(({ delivery }) => delivery);
  return await db.$queryRaw<RenewedDelivery[]>`
    WITH held AS (
      SELECT a.id, a.delivery, a.run_id, a.run_agent_id, a.state
        FROM unnest(${ids}::uuid[], ${deliveries}::int[]) AS item(id, delivery)
             JOIN attempts a ON a.id = item.id AND a.delivery = item.delivery
       WHERE a.executor_id = ${lease.executorId} AND a.state NOT IN ('queued', 'finished', 'skipped')),
    free AS (
      SELECT a.id FROM attempts a JOIN held ON held.id = a.id AND held.delivery = a.delivery
       WHERE a.executor_id = ${lease.executorId} FOR NO KEY UPDATE OF a SKIP LOCKED),
    renewed AS (
      UPDATE attempts a SET lease_until = ${lease.until}::timestamptz
        FROM free WHERE a.id = free.id AND a.executor_id = ${lease.executorId})
    SELECT held.id, held.run_id AS "runId", held.state, r.status AS "runStatus",
           ra.halted_at IS NOT NULL AS "isHalted"
      FROM held JOIN runs r ON r.id = held.run_id JOIN run_agents ra ON ra.id = held.run_agent_id`;
}

/** Parks a held delivery; returns where it was, `parked` when it was parked before. */
export async function parkDelivery(
  tx: Transaction,
  { attemptId, delivery, executorId }: Required<Holder>,
  leaseUntil: Date,
) {
  const [row] = await tx.$queryRaw<(AttemptIdentity & { from: AttemptState })[]>`
    WITH held AS (
      SELECT id, state FROM attempts
       WHERE id = ${attemptId}::uuid AND delivery = ${delivery} AND executor_id = ${executorId}
         AND state IN ('preparing', 'running', 'parked'))
    UPDATE attempts a SET state = 'parked', lease_until = ${leaseUntil}::timestamptz
      FROM held WHERE a.id = held.id
    RETURNING a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, held.state AS "from"`;
  return row;
}

/** Puts a parked delivery back to work. */
export async function unparkDelivery(
  tx: Transaction,
  { attemptId, delivery }: Holder,
  leaseUntil: Date,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE attempts SET state = 'running', lease_until = ${leaseUntil}::timestamptz
     WHERE id = ${attemptId}::uuid AND delivery = ${delivery} AND state = 'parked'`;
}

/**
 * Extends the leases of those that the executor still has parked and returns their fates; leaves out the others.
 * As in `renewLeases`, one that is being changed right now is not waited for.
 */
export async function renewParked(
  db: Database,
  items: readonly DeliveryName[],
  lease: LeaseExtension & { now: Date },
) {
  const ids = items.map(({ attempt_id }) => attempt_id);
  const deliveries = items.map(({ delivery }) => delivery);
  return await db.$queryRaw<{ id: string; fate: ParkedFate }[]>`
    WITH held AS (
      SELECT a.id, a.delivery,
             CASE WHEN r.status IN ('completed', 'failed', 'cancelled') OR ra.halted_at IS NOT NULL THEN 'cancelled'
                  WHEN t.deadline_at <= ${lease.now}::timestamptz
                    OR EXISTS (SELECT 1 FROM human_turns h WHERE h.attempt_id = a.id AND h.phase_id = t.phase_id)
                  THEN 'ready' ELSE 'waits' END AS fate
        FROM unnest(${ids}::uuid[], ${deliveries}::int[]) AS item(id, delivery)
             JOIN attempts a ON a.id = item.id AND a.delivery = item.delivery
             JOIN runs r ON r.id = a.run_id
             JOIN run_agents ra ON ra.id = a.run_agent_id
             JOIN awaited_turns t ON t.attempt_id = a.id
       WHERE a.executor_id = ${lease.executorId} AND a.state = 'parked'),
    free AS (
      SELECT a.id FROM attempts a JOIN held ON held.id = a.id AND held.delivery = a.delivery
       WHERE a.executor_id = ${lease.executorId} AND a.state = 'parked' FOR NO KEY UPDATE OF a SKIP LOCKED),
    renewed AS (
      UPDATE attempts a SET lease_until = ${lease.until}::timestamptz FROM free WHERE a.id = free.id)
    SELECT id, fate FROM held`;
}

function asRow({ attemptId, delivery, executorId, result, notBefore, eventsAdded }: DeliveryEnd) {
  return {
    id: attemptId,
    delivery,
    executor: executorId ?? null,
    result: JSON.stringify(result),
    outcome: result.outcome,
    reason: result.error?.code ?? result.outcome,
    last_sequence: result.last_sequence,
    not_before: notBefore ?? null,
    events_added: eventsAdded,
  };
}
