import type { AttemptEnd } from '../attempt/outcome.js';
import type { AgentMemory, Utterance } from './state.js';

/** What the agent hears; the transcript ends with this message. */
interface HeardTurn {
  index: number;
  message: string;
  transcript: readonly Utterance[];
}

/** The words that end the agent's turn, or the end of the attempt. */
export type TurnReply = { message: string } | { end: AttemptEnd };

/** The agent's side of a conversation. */
export interface AgentSide {
  /** Throws AttemptEnded. */
  take(turn: HeardTurn): Promise<TurnReply>;
  /** What it must be given to go on elsewhere. */
  memory(): AgentMemory;
}
