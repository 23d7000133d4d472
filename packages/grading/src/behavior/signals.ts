import { type BehavioralSignalKey, equalityKey } from '@agentclash/challengepack';
import type { FinishedToolCall } from '../evidence/tool-trace.js';
import type { ValidatorResult } from '../validators/result.js';

/** The evidence of behavioural signals. */
export interface BehaviorEvidence {
  /** Without `submit`, in order. */
  readonly calls: readonly FinishedToolCall[];
  /** Per completed turn whether the agent missed its expectations; empty outside conversations. */
  readonly mismatches: readonly boolean[];
  readonly validators: readonly Pick<ValidatorResult, 'state' | 'verdict'>[];
}

/** 0..1; null when it is unknown. */
type Signal = (evidence: BehaviorEvidence) => number | null;

/** The behaviour of the agent by signal. An agent that does nothing does nothing wrong. */
export const SIGNALS: { readonly [S in BehavioralSignalKey]: Signal } = {
  recovery_behavior: (evidence) =>
    evidence.mismatches.length > 0 ? recoveryInConversation(evidence) : recoveryFromFailures(evidence.calls),
  exploration_efficiency: ({ calls }) => 1 - shareOf(calls.length - distinct(calls), calls),
  error_cascade: ({ calls }) => 1 / Math.max(1, longestFailureRun(calls)),
  scope_adherence: ({ calls }) =>
    1 - shareOf(calls.filter(({ failure_origin }) => failure_origin === 'policy').length, calls),
};

/** Of the failures followed by a call, the share followed by a different one. */
function recoveryFromFailures(calls: readonly FinishedToolCall[]): number {
  if (!calls.some((call) => call.failed)) return 1;
  const followed = calls.slice(0, -1).flatMap((call, index) => {
    const next = calls[index + 1];
    return call.failed && next !== undefined ? [identity(call) !== identity(next)] : [];
  });
  return shareOf(followed.filter((isDifferent) => isDifferent).length, followed);
}

function recoveryInConversation({ mismatches, validators }: BehaviorEvidence): number | null {
  if (!mismatches.includes(true)) return 1;
  if (validators.some(({ state }) => state !== 'scored')) return null;
  return validators.every(({ verdict }) => verdict === 'pass') ? 1 : 0;
}

function longestFailureRun(calls: readonly FinishedToolCall[]): number {
  let longest = 0;
  let run = 0;
  for (const { failed } of calls) {
    run = failed ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function distinct(calls: readonly FinishedToolCall[]): number {
  return new Set(calls.map(identity)).size;
}

/** The same text for calls of one tool with deep-equal arguments. */
function identity(call: FinishedToolCall): string {
  return equalityKey([call.tool_name, call.arguments]);
}

function shareOf(count: number, all: readonly unknown[]): number {
  return all.length === 0 ? 0 : count / all.length;
}
