import {
  type attempts,
  ContractError,
  executionEvents,
  type HumanTurn,
  type In,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../changes/run-changes.service.js';
import { decideReply } from '../state/human-turn.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { asHumanTurn, HumanTurnsStore } from '../store/human-turns.store.js';

/** Stores the human turns of conversations. */
@Injectable()
export class HumanTurnsService {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly store: HumanTurnsStore,
  ) {}

  /**
   * Stores the message and notifies the waiting executor. The notification may be lost: executors also learn of new turns
   * when they renew their leases, and the plan of a later delivery contains them.
   */
  async answer(input: In<typeof attempts.answer>): Promise<HumanTurn> {
    const { workspace_id, attempt_id: attemptId, actor, request } = input;
    const { turn_index: turnIndex, message } = request;
    const given = await this.changes.makeOfAttempt(attemptId, async (change, tx) => {
      if (change.run.workspaceId !== workspace_id) return undefined;
      const { delivery, ...facts } = await this.attempts.replyFacts(tx, attemptId);
      const turnFacts = { ...facts, runStatus: change.status };
      const decision = decideReply({ turnIndex, message }, turnFacts, change.now);
      if ('refuse' in decision) throw new ContractError('conflict', decision.refuse);
      if ('repeat' in decision) return decision.repeat;
      const { phaseId } = decision.accept;
      const turn = { attemptId, phaseId, turnIndex, message, givenAt: change.now, givenBy: actor };
      const nudge = { attempt_id: attemptId, delivery };
      change.publish(executionEvents.turnGiven, nudge, `turn-given:${attemptId}:${delivery}:${turnIndex}`);
      return await this.store.add(tx, turn);
    });
    if (given) return asHumanTurn(given);
    throw new ContractError('not_found', `There is no attempt ${attemptId}.`);
  }
}
