import type { Actor, Usage, Utterance } from '@agentclash/domain';
import type { Message } from '@agentclash/models';
import type { SentState } from '../model/sent-messages.js';

/**
 * A conversation between two turns, as JSON: with the plan and the sandbox, an executor can resume it from this state.
 * It holds every message to and from the agent, so it is stored as safely as the attempt's events.
 */
export interface ConversationState {
  schema: 'agentclash.conversation/1';
  progress: ConversationProgress;
  agent: AgentMemory;
  counters: AttemptCounters;
  /** Names of planted values that still wait for a tool's output. */
  waiting_canaries: string[];
  /** Keys of the secrets opened so far: their values must be redacted after the resumption, too. */
  opened_secrets: string[];
  /** Number of the last event. */
  last_sequence: number;
}

/** Where the user's side stands. */
export interface ConversationProgress {
  /** Index of the phase that is next to be tried, or under way. */
  phase: number;
  is_entered: boolean;
  /** Turns of this phase that are over. */
  phase_turns: number;
  /** Turns of the conversation that are over: the index of the next. */
  turns: number;
  /** Whether the last checked message missed an expectation. */
  mismatch: boolean;
  /** The messages of both sides, in order. */
  transcript: Utterance[];
  mismatch_turns: number[];
  actors_used: Actor[];
  human_turns: number;
}

/** What an agent keeps from turn to turn; programs and endpoints get the transcript and keep nothing. */
export type AgentMemory =
  | { kind: 'model'; messages: Message[]; sent?: SentState }
  | { kind: 'scripted'; next_step: number }
  | { kind: 'program' | 'endpoint' };

/** What has been used up; limits hold for the conversation as a whole. */
export interface AttemptCounters {
  /** Of the run stage, which stands still while a person is waited for. */
  elapsed_ms: number;
  /** What that leaves out; absent where it is nothing. */
  starved_ms?: number;
  steps: number;
  tool_calls: number;
  policy_denials: number;
  /** The step whose calls were the first to find the budget spent; null while it lasts. */
  first_refused_step: number | null;
  usage: Usage;
  cost_usd: number | null;
  simulator: { usage: Usage; cost_usd: number | null };
}

/** What ends the wait. */
export type HumanReply = { message: string } | { timedOut: true };
