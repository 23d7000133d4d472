/** What a conversation waits for and what people have said in it. */
import { type AttemptState, isRunOver, type RunStatus } from '@agentclash/domain';

export interface TurnFacts<Given extends GivenTurn = GivenTurn> {
  state: AttemptState;
  runStatus: RunStatus;
  awaited: { turnIndex: number; phaseId: string; deadlineAt: Date } | null;
  given: readonly Given[];
}

export interface GivenTurn {
  phaseId: string;
  turnIndex: number;
  message: string;
}

export type ReplyDecision<Given extends GivenTurn> =
  | { accept: { phaseId: string } }
  /** Said before, word for word. */
  | { repeat: Given }
  /** Why not: a sentence for whoever answered. */
  | { refuse: string };

/** Exactly the turn that waits can be answered, once, and only in time. */
export function decideReply<Given extends GivenTurn>(
  reply: { turnIndex: number; message: string },
  facts: TurnFacts<Given>,
  now: Date,
): ReplyDecision<Given> {
  const { turnIndex, message } = reply;
  const given = facts.given.find((turn) => turn.turnIndex === turnIndex);
  if (given?.message === message) return { repeat: given };
  if (given) return { refuse: `Turn ${turnIndex} has been answered otherwise.` };
  const { awaited, state, runStatus } = facts;
  if (isRunOver(runStatus)) return { refuse: `The run is ${runStatus}: nobody waits for an answer.` };
  if (state !== 'parked' || !awaited) return { refuse: `The attempt is ${state}: no turn waits.` };
  if (awaited.turnIndex !== turnIndex) {
    return { refuse: `Turn ${turnIndex} does not wait: turn ${awaited.turnIndex} does.` };
  }
  if (awaited.deadlineAt <= now) return { refuse: `The time to answer turn ${turnIndex} has run out.` };
  return { accept: { phaseId: awaited.phaseId } };
}
