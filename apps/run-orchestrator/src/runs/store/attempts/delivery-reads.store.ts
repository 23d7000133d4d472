import type { HistoryEvent } from '@agentclash/contracts';
import type { AttemptState } from '@agentclash/domain';
import type { Database, Transaction } from '../../../database.js';
import type { DeliveryContext } from '../../state/event-batch.js';
import type { AttemptIdentity } from '../../state/state-moves.js';
import { ofRun } from './attempt-conditions.store.js';
import type { DeliveryName, Holder } from './delivery-writes.store.js';

export interface DeliveryKey {
  attemptId: string;
  delivery: number;
}

/** A claim by the executor's own name for it. */
export interface NamedClaim {
  executorId: string;
  claimId: string;
}

/** Some events of one delivery; none when only its place is wanted. */
export interface HistoryPart {
  attempt_id: string;
  delivery: number;
  events: readonly Pick<HistoryEvent, 'sequence_number'>[];
}

/** A parked delivery as it is resumed. */
export interface ParkedDelivery extends AttemptIdentity {
  attemptState: AttemptState;
  deadlineAt: Date;
  /** Of the conversation. */
  state: Record<string, unknown>;
  /** The human turn; null before. */
  message: string | null;
}

/** The ends of deliveries that are on record. */
export async function findEnds(db: Database, keys: readonly DeliveryKey[]) {
  return await db.delivery.findMany({
    where: { OR: keys.map(({ attemptId, delivery }) => ({ attemptId, delivery })) },
    select: { attemptId: true, delivery: true, executorId: true, lastSequence: true },
  });
}

/** Deliveries that an executor has won under this claim id and that have no event yet. */
export async function findWonBefore(
  db: Database,
  ids: readonly string[],
  claim: NamedClaim,
): Promise<DeliveryName[]> {
  return await db.$queryRaw<DeliveryName[]>`
    SELECT a.id AS attempt_id, a.delivery
      FROM attempts a JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = a.delivery
     WHERE a.id = ANY(${ids}::uuid[]) AND a.state = 'preparing' AND a.executor_id = ${claim.executorId}
       AND d.claim_id = ${claim.claimId}::uuid AND d.events_stored = 0`;
}

/** Where these parts of histories belong, in their order; nothing where the run has no such attempt and delivery. */
export async function findDeliveryContexts(
  tx: Transaction,
  runId: string,
  parts: readonly HistoryPart[],
): Promise<(DeliveryContext | undefined)[]> {
  const rows = await tx.$queryRaw<(DeliveryContext & { part: number })[]>`
    SELECT p.part, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state,
           a.delivery AS current, a.deliveries_max AS "deliveriesMax", a.executor_id AS "executorId",
           d.last_sequence AS "lastSequence", d.events_stored AS "eventsStored",
           CASE WHEN d.events_stored = 0 THEN '{}'::int[] ELSE
           ARRAY(SELECT sequence_number FROM events e
                  WHERE e.attempt_id = a.id AND e.delivery = d.delivery
                    AND e.sequence_number BETWEEN p.first AND p.last) END AS known
      FROM json_to_recordset(${JSON.stringify(parts.map(asRange))}::json) AS p(
             part int, id uuid, delivery int, first int, last int)
           JOIN attempts a ON a.id = p.id
           JOIN deliveries d ON d.attempt_id = a.id AND d.delivery = p.delivery
     WHERE ${ofRun(runId)}`;
  const byPart = new Map(rows.map((row) => [row.part, row]));
  return parts.map((_, part) => byPart.get(part));
}

function asRange({ attempt_id: id, delivery, events }: HistoryPart, part: number) {
  const numbers = events.map(({ sequence_number }) => sequence_number);
  return { part, id, delivery, first: Math.min(...numbers, 0), last: Math.max(...numbers, 0) };
}

/** The facts that decide about a reply, of an attempt whose run is locked. */
export async function findReplyFacts(tx: Transaction, attemptId: string) {
  const { state, delivery, awaited, humanTurns } = await tx.attempt.findUniqueOrThrow({
    where: { id: attemptId },
    select: {
      state: true,
      delivery: true,
      awaited: { select: { turnIndex: true, phaseId: true, deadlineAt: true, delivery: true } },
      humanTurns: true,
    },
  });
  const isCurrent = awaited?.delivery === delivery;
  return {
    state: state as AttemptState,
    delivery,
    awaited: isCurrent ? awaited : null,
    given: humanTurns,
  };
}

/** The delivery that this executor has parked, or has resumed from its last wait. */
export async function findParked(
  tx: Transaction,
  { attemptId, delivery, executorId }: Required<Holder>,
): Promise<ParkedDelivery | undefined> {
  const [row] = await tx.$queryRaw<ParkedDelivery[]>`
    SELECT a.id, a.run_agent_id AS "runAgentId", a.case_key AS "caseKey", a.repetition, a.state AS "attemptState",
           t.deadline_at AS "deadlineAt", t.state, h.message
      FROM attempts a JOIN awaited_turns t ON t.attempt_id = a.id AND t.delivery = a.delivery
           LEFT JOIN human_turns h ON h.attempt_id = a.id AND h.phase_id = t.phase_id
     WHERE a.id = ${attemptId}::uuid AND a.delivery = ${delivery} AND a.executor_id = ${executorId}
       AND a.state IN ('parked', 'running')`;
  return row;
}
