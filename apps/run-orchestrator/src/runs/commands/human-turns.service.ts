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
import { asHumanTurn, HumanTurnsStore } from '../store/human-turns.store.js';

/** Takes what people say in conversations. */
@Injectable()
export class HumanTurnsService {
  constructor(
    private readonly changes: RunChanges,
    private readonly store: HumanTurnsStore,
  ) {}

  /**
   * Keeps the message and tells the executor that waits for it. Whether it hears that or not: it asks for what has
   * come each time it renews its leases, and a delivery that takes over is told what was said.
   */
  async answer(input: In<typeof attempts.answer>): Promise<HumanTurn> {
    const { workspace_id, attempt_id: attemptId, actor, request } = input;
    const { turn_index: turnIndex, message } = request;
    const given = await this.changes.makeOfAttempt(attemptId, async (change, tx) => {
      if (change.run.workspaceId !== workspace_id) return undefined;
      const { delivery, ...facts } = await this.store.facts(tx, attemptId);
      const turnFacts = { ...facts, runStatus: change.status };
      const decision = decideReply({ turnIndex, message }, turnFacts, change.now);
      if ('refuse' in decision) throw new ContractError('conflict', decision.refuse);
      if ('repeat' in decision) return decision.repeat;
      const { phaseId } = decision.accept;
      const turn = { attemptId, phaseId, turnIndex, message, givenAt: change.now, givenBy: actor };
      const nudge = { attempt_id: attemptId, delivery };
      change.publish(executionEvents.turnGiven, nudge, `answered:${attemptId}:${delivery}:${turnIndex}`);
      return await this.store.add(tx, turn);
    });
    if (given) return asHumanTurn(given);
    throw new ContractError('not_found', `There is no attempt ${attemptId}.`);
  }
}
