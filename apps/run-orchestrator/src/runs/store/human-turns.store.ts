import type { AwaitedTurn, HumanTurn } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { HumanTurn as Row } from '../../generated/client.js';
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
