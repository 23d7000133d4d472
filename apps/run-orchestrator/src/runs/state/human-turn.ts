/** The awaited turn of a conversation and its turns so far. */
import { type AttemptState, hasRunEnded, type RunStatus } from '@agentclash/domain';

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
  /** The same message was stored before. */
  | { repeat: Given }
  /** Why not: a sentence for the sender. */
  | { refuse: string };

/** Only the awaited turn is accepted, once, and before its deadline. */
export function decideReply<Given extends GivenTurn>(
  reply: { turnIndex: number; message: string },
  facts: TurnFacts<Given>,
  now: Date,
): ReplyDecision<Given> {
  const { turnIndex, message } = reply;
  const given = facts.given.find((turn) => turn.turnIndex === turnIndex);
  if (given?.message === message) return { repeat: given };
  if (given) return { refuse: `Turn ${turnIndex} has another message already.` };
  const { awaited, state, runStatus } = facts;
  if (hasRunEnded(runStatus)) return { refuse: `The run is ${runStatus}: it waits for no input.` };
  if (state !== 'parked' || !awaited) return { refuse: `The attempt is ${state}: no turn waits.` };
  if (awaited.turnIndex !== turnIndex) {
    return { refuse: `Turn ${turnIndex} does not wait: turn ${awaited.turnIndex} does.` };
  }
  if (awaited.deadlineAt <= now) return { refuse: `The time for turn ${turnIndex} has run out.` };
  return { accept: { phaseId: awaited.phaseId } };
}
