import type { AwaitedTurn, ParkedFate } from '@agentclash/contracts';
import type { AttemptState } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { AttemptIdentity } from '../state/attempt-move.js';
import type { Holder } from './delivery-rows.store.js';

/** A parked delivery as it is resumed. */
export interface ParkedDelivery extends AttemptIdentity {
  attemptState: AttemptState;
  deadlineAt: Date;
  /** Of the conversation. */
  state: Record<string, unknown>;
  /** The human turn; null before. */
  message: string | null;
}

type Held = Required<Holder>;

/** Deliveries that wait for a person. */
@Injectable()
export class ParkedStore {
  constructor(private readonly db: Database) {}

  /** Parks a held delivery; returns where it was, `parked` when it was parked before. */
  async park(tx: Transaction, { attemptId, delivery, executorId }: Held, leaseUntil: Date) {
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

  /** Stores the awaited turn and the state to resume from. */
  async await(tx: Transaction, { attemptId, delivery }: Holder, awaited: AwaitedTurn & { state: object }) {
    const { turn_index, phase_id, deadline_at, last_message, state } = awaited;
    const text = JSON.stringify(state);
    await tx.$executeRaw`
      INSERT INTO awaited_turns (attempt_id, delivery, turn_index, phase_id, deadline_at, last_message, state)
      VALUES (${attemptId}::uuid, ${delivery}, ${turn_index}, ${phase_id}, ${deadline_at}::timestamptz,
              ${storable(last_message)}, ${text}::json)
      ON CONFLICT (attempt_id) DO UPDATE
         SET delivery = EXCLUDED.delivery, turn_index = EXCLUDED.turn_index, phase_id = EXCLUDED.phase_id,
             deadline_at = EXCLUDED.deadline_at, last_message = EXCLUDED.last_message, state = EXCLUDED.state`;
  }

  /** The delivery that this executor has parked, or has resumed from its last wait. */
  async find(
    tx: Transaction,
    { attemptId, delivery, executorId }: Held,
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

  async unpark(tx: Transaction, { attemptId, delivery }: Holder, leaseUntil: Date): Promise<void> {
    await tx.$executeRaw`
      UPDATE attempts SET state = 'running', lease_until = ${leaseUntil}::timestamptz
       WHERE id = ${attemptId}::uuid AND delivery = ${delivery} AND state = 'parked'`;
  }

  /**
   * Extends the leases of those that the executor still has parked and returns their fates; leaves out the others.
   * As in `DeliveryRows.renew`, one that is being changed right now is not waited for.
   */
  async renew(
    items: readonly { attempt_id: string; delivery: number }[],
    lease: { executorId: string; until: Date; now: Date },
  ) {
    const ids = items.map(({ attempt_id }) => attempt_id);
    const deliveries = items.map(({ delivery }) => delivery);
    return await this.db.$queryRaw<{ id: string; fate: ParkedFate }[]>`
      WITH held AS (
        SELECT a.id, a.delivery,
               CASE WHEN r.status IN ('completed', 'failed', 'cancelled') THEN 'cancelled'
                    WHEN t.deadline_at <= ${lease.now}::timestamptz
                      OR EXISTS (SELECT 1 FROM human_turns h WHERE h.attempt_id = a.id AND h.phase_id = t.phase_id)
                    THEN 'ready' ELSE 'waits' END AS fate
          FROM unnest(${ids}::uuid[], ${deliveries}::int[]) AS item(id, delivery)
               JOIN attempts a ON a.id = item.id AND a.delivery = item.delivery
               JOIN runs r ON r.id = a.run_id
               JOIN awaited_turns t ON t.attempt_id = a.id
         WHERE a.executor_id = ${lease.executorId} AND a.state = 'parked'),
      free AS (
        SELECT a.id FROM attempts a JOIN held ON held.id = a.id AND held.delivery = a.delivery
         WHERE a.executor_id = ${lease.executorId} AND a.state = 'parked' FOR NO KEY UPDATE OF a SKIP LOCKED),
      renewed AS (
        UPDATE attempts a SET lease_until = ${lease.until}::timestamptz FROM free WHERE a.id = free.id)
      SELECT id, fate FROM held`;
  }
}

/** Output of agents may hold what Postgres text cannot. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\u{fffd}');
}
