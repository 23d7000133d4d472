import type { PlannedConversation, PlannedPhase, SimulatedPhase } from '@agentclash/attempt-plan';
import { foldCase, type PhaseGate } from '@agentclash/challengepack';
import type { HumanTimeoutEffect, StopReason, Utterance } from '@agentclash/domain';
import type { AttemptEnd } from '../outcome/attempt-end.js';
import type { ConversationProgress } from './state.js';

/** Scores are means of decimals. */
const TOLERANCE = 1e-9;

export const FIRST: ConversationProgress = {
  phase: 0,
  is_entered: false,
  phase_turns: 0,
  turns: 0,
  mismatch: false,
  transcript: [],
  mismatch_turns: [],
  actors_used: [],
  human_turns: 0,
};

/** The next move of the user's side. `check_request`: the phase is entered only if a person has requested it. */
export type Move =
  | { move: 'enter' | 'skip' | 'check_request' | 'take_turn'; phase: PlannedPhase }
  | { move: 'leave' }
  | { move: 'stop'; stop: ConversationStop };

/** A completed turn. `mismatch` is undefined when the turn has no expectations. */
export interface FinishedTurn {
  phase: PlannedPhase;
  message: string;
  reply: string;
  mismatch: boolean | undefined;
}

type Rules = Pick<PlannedConversation, 'phases' | 'turns_max'>;

export function nextMove({ phases, turns_max }: Rules, progress: ConversationProgress): Move {
  const phase = phases[progress.phase];
  if (!phase) return { move: 'stop', stop: { cause: 'phases_done' } };
  if (!progress.is_entered) return { move: entry(phase, progress), phase };
  if (isOver(phase, progress)) return { move: 'leave' };
  if (progress.turns >= turns_max) return { move: 'stop', stop: { cause: 'max_turns' } };
  return { move: 'take_turn', phase };
}

export function entered(progress: ConversationProgress): ConversationProgress {
  return { ...progress, is_entered: true, phase_turns: 0 };
}

export function left(progress: ConversationProgress): ConversationProgress {
  return { ...progress, phase: progress.phase + 1, is_entered: false, phase_turns: 0 };
}

/** After the tests of a phase; no score passes no bound. */
export function graded(
  progress: ConversationProgress,
  { min_score }: PhaseGate,
  score: number | null,
): ConversationProgress {
  const isPassed = min_score === undefined || (score !== null && score >= min_score - TOLERANCE);
  return { ...progress, gate: isPassed ? 'passed' : 'failed' };
}

export function afterTurn(progress: ConversationProgress, turn: FinishedTurn): ConversationProgress {
  const { phase, message, reply, mismatch } = turn;
  const { transcript, turns, actors_used: actors, mismatch_turns } = progress;
  return {
    ...progress,
    phase_turns: progress.phase_turns + 1,
    turns: turns + 1,
    mismatch: mismatch ?? progress.mismatch,
    transcript: [...transcript, { role: 'user', message }, { role: 'assistant', message: reply }],
    mismatch_turns: mismatch ? [...mismatch_turns, turns] : mismatch_turns,
    actors_used: actors.includes(phase.actor) ? actors : [...actors, phase.actor],
    human_turns: progress.human_turns + (phase.actor === 'human' ? 1 : 0),
  };
}

/** The last message of one side; empty before its first. */
export function lastMessage(transcript: readonly Utterance[], role: Utterance['role']): string {
  return transcript.findLast((utterance) => utterance.role === role)?.message ?? '';
}

/** Other triggers are valid, but never enter a phase. */
function entry(
  { trigger }: PlannedPhase,
  { mismatch, gate }: ConversationProgress,
): 'enter' | 'skip' | 'check_request' {
  if (trigger === 'always') return 'enter';
  if (trigger === 'on_gate_passed') return gate === 'passed' ? 'enter' : 'skip';
  if (trigger === 'manual') return 'check_request';
  return trigger === 'on_assistant_mismatch' && mismatch ? 'enter' : 'skip';
}

function isOver(phase: PlannedPhase, progress: ConversationProgress): boolean {
  const { phase_turns: turns } = progress;
  if (phase.actor === 'scripted') return turns >= phase.turns.length;
  if (phase.actor === 'human') return turns >= 1;
  return turns >= 1 && (isAtLimit(phase, turns) || conditionsHold(phase, progress));
}

function isAtLimit({ turns_max }: SimulatedPhase, turns: number): boolean {
  return turns_max !== null && turns >= turns_max;
}

function conditionsHold(phase: SimulatedPhase, { phase_turns, transcript }: ConversationProgress): boolean {
  const contains = (role: Utterance['role'], text: string) =>
    text.trim() !== '' && foldCase(lastMessage(transcript, role)).includes(foldCase(text));
  const holds = (condition: string) => {
    if (condition === 'max_turns') return isAtLimit(phase, phase_turns);
    const [, side, text = ''] = /^(assistant_emitted|user_token):(.*)$/s.exec(condition) ?? [];
    return side !== undefined && contains(side === 'user_token' ? 'user' : 'assistant', text);
  };
  return phase.until.length > 0 && phase.until.every(holds);
}

/** The cause of the end of a conversation. */
export type ConversationStop =
  | { cause: 'phases_done' }
  | { cause: 'max_turns' }
  | { cause: 'human_timeout'; onTimeout: HumanTimeoutEffect };

const STOP_REASONS: Record<ConversationStop['cause'], StopReason> = {
  phases_done: 'completed',
  max_turns: 'max_turns',
  human_timeout: 'human_turn_timeout',
};

/** Maps the end of a conversation to the end of the attempt; `lastMessage` is the assistant's. */
export function endOfConversation(stop: ConversationStop, lastMessage: string): AttemptEnd {
  if (stop.cause === 'human_timeout' && stop.onTimeout === 'fail') {
    return { because: 'cancelled', reason: 'human_turn_timeout' };
  }
  return { because: 'completed', finishedBy: 'conversation', output: lastMessage };
}

export function stopReasonOf(stop: ConversationStop): StopReason {
  return STOP_REASONS[stop.cause];
}
