import type { HumanTurn } from '@agentclash/contracts';
import type { AttemptState } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import type { HumanTurn as Row } from '../../generated/client.js';

export interface NewTurn {
  attemptId: string;
  phaseId: string;
  turnIndex: number;
  message: string;
  givenAt: Date;
  givenBy: string;
}

/** Human turns of attempts. */
@Injectable()
export class HumanTurnsStore {
  constructor(private readonly db: Database) {}

  async ofAttempt(attemptId: string): Promise<Row[]> {
    return await this.db.humanTurn.findMany({ where: { attemptId }, orderBy: { turnIndex: 'asc' } });
  }

  /** The facts that decide about a reply, of an attempt whose run is locked. */
  async facts(tx: Transaction, attemptId: string) {
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
