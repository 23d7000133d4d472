import type { AwaitedTurn, HumanTurn, RequestedPhase } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { HumanTurn as Row } from '../../generated/client.js';
import { PHASE_IS_AHEAD } from './attempts/attempt-conditions.store.js';
import type { DeliveryKey } from './attempts/delivery-reads.store.js';

export interface NewTurn {
  attemptId: string;
  phaseId: string;
  turnIndex: number;
  message: string;
  givenAt: Date;
  givenBy: string;
}

/** Human turns of attempts: those that deliveries wait for, and those that were given. */
@Injectable()
export class HumanTurnsStore {
  constructor(private readonly db: Database) {}

  async ofAttempt(attemptId: string): Promise<Row[]> {
    return await this.db.humanTurn.findMany({ where: { attemptId }, orderBy: { turnIndex: 'asc' } });
  }

  /** Stores the awaited turn and the state to resume from. */
  async await(
    tx: Transaction,
    { attemptId, delivery }: DeliveryKey,
    awaited: AwaitedTurn & { state: object },
  ) {
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

  async add(tx: Transaction, turn: NewTurn): Promise<Row> {
    return await tx.humanTurn.create({ data: turn });
  }
}

export function asHumanTurn(row: Row): HumanTurn {
  return {
    attempt_id: row.attemptId,
    turn_index: row.turnIndex,
    phase_id: row.phaseId,
    message: row.message,
    given_at: row.givenAt.toISOString(),
    given_by: row.givenBy,
  };
}

/** Output of agents may hold what Postgres text cannot. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\u{fffd}');
}

interface PhaseRequest {
  attemptId: string;
  phaseId: string;
  actor: string;
  now: Date;
}

/** Manual phases: requested by people, reached by deliveries. Of the two, the first on record wins. */
@Injectable()
export class ManualPhasesStore {
  constructor(private readonly db: Database) {}

  /** The request that holds; nothing when the delivery at work has gone past the phase without one. */
  async request({ attemptId, phaseId, actor, now }: PhaseRequest): Promise<RequestedPhase | undefined> {
    const [row] = await this.db.$queryRaw<{ requestedAt: Date; requestedBy: string }[]>`
      INSERT INTO manual_phases AS p (attempt_id, phase_id, requested_at, requested_by)
      VALUES (${attemptId}::uuid, ${phaseId}, ${now}::timestamptz, ${actor})
      ON CONFLICT (attempt_id, phase_id) DO UPDATE
         SET requested_at = COALESCE(p.requested_at, EXCLUDED.requested_at),
             requested_by = COALESCE(p.requested_by, EXCLUDED.requested_by)
       WHERE p.requested_at IS NOT NULL
          OR ${PHASE_IS_AHEAD}
      RETURNING requested_at AS "requestedAt", requested_by AS "requestedBy"`;
    if (!row) return undefined;
    const { requestedAt, requestedBy } = row;
    return {
      attempt_id: attemptId,
      phase_id: phaseId,
      requested_at: requestedAt.toISOString(),
      requested_by: requestedBy,
    };
  }

  /** Records that a delivery has reached the phase; whether it was requested. */
  async reach({ attemptId, phaseId, delivery }: { attemptId: string; phaseId: string; delivery: number }) {
    const [row] = await this.db.$queryRaw<{ isRequested: boolean }[]>`
      INSERT INTO manual_phases (attempt_id, phase_id, reached_in)
      VALUES (${attemptId}::uuid, ${phaseId}, ${delivery})
      ON CONFLICT (attempt_id, phase_id) DO UPDATE SET reached_in = EXCLUDED.reached_in
      RETURNING requested_at IS NOT NULL AS "isRequested"`;
    return row?.isRequested ?? false;
  }
}
