import type { Actor, Usage, Utterance } from '@agentclash/domain';
import type { Message } from '@agentclash/models';
import type { A2aMemory } from '../agents/a2a.js';
import type { KeptEvent } from '../events/kept-evidence.js';
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
  /** Names of the values not yet planted in a tool's output. */
  waiting_canaries: string[];
  /** Keys of the secrets opened so far: their values must be redacted after the resumption, too. */
  opened_secrets: string[];
  /** Digests of the tools of MCP servers, by server. */
  server_lists?: Record<string, string>;
  /** The events so far that scripts will read. */
  kept_events?: KeptEvent[];
  /** Number of the last event. */
  last_sequence: number;
}

/** The progress of the user's side. */
export interface ConversationProgress {
  /** Index of the next phase, or of the current one. */
  phase: number;
  is_entered: boolean;
  /** Completed turns of this phase. */
  phase_turns: number;
  /** Completed turns of the conversation: the index of the next. */
  turns: number;
  /** True when the last checked message missed an expectation. */
  mismatch: boolean;
  /** The result of the last gate; absent before the first. */
  gate?: 'passed' | 'failed';
  /** The messages of both sides, in order. */
  transcript: Utterance[];
  mismatch_turns: number[];
  actors_used: Actor[];
  human_turns: number;
}

/** The memory of an agent between turns; programs and endpoints receive the transcript and have none. */
export type AgentMemory =
  | { kind: 'model'; messages: Message[]; sent?: SentState }
  | { kind: 'scripted'; next_step: number }
  | { kind: 'program' }
  | { kind: 'endpoint'; a2a?: A2aMemory };

/** The usage so far; limits apply to the conversation as a whole. */
export interface AttemptCounters {
  /** Of the run stage, which is suspended while it waits for a person. */
  elapsed_ms: number;
  /** The excluded time; absent where it is 0. */
  starved_ms?: number;
  steps: number;
  /** Absent in a state of an earlier release. */
  model_calls?: number;
  tool_calls: number;
  policy_denials: number;
  /** The first step with a call beyond the budget; null within the budget. */
  first_refused_step: number | null;
  usage: Usage;
  /** The known part. */
  cost_usd: number | null;
  /** Calls whose cost is unknown; absent for none. */
  unpriced_calls?: number;
  simulator: { usage: Usage; cost_usd: number | null };
}

/** The end of the wait. */
export type HumanReply = { message: string } | { timedOut: true };
