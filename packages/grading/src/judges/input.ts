import { type Judge, parseReference, type ReferenceKind } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import { resolveReference } from '../evidence/resolve.js';
import { type AttemptEvidence } from '../evidence/types.js';
import type { JudgeText } from './prompt.js';

/** The input of a judge for one attempt, or the reason to call no model. */
export type JudgeInput =
  | {
      readonly state: 'ready';
      /** Texts of the pack: the same for every agent on the case. */
      readonly shared: readonly JudgeText[];
      /** Texts of this attempt. */
      readonly own: readonly JudgeText[];
      readonly expected: JudgeText | undefined;
    }
  /** The agent left nothing to judge: 0, whatever an assertion expects. */
  | { readonly state: 'scored'; readonly score: 0; readonly reason: 'missing_output' }
  | { readonly state: 'unavailable'; readonly reason: 'attempt_not_graded' | 'not_collected' }
  | { readonly state: 'error'; readonly reason: 'missing_expected' };

const AGENT_KINDS: ReadonlySet<ReferenceKind> = new Set([
  'final_output',
  'file',
  'transcript',
  'turn_expectations',
]);

type Reading =
  | (JudgeText & { readonly state: 'read'; readonly isOwn: boolean })
  | Exclude<JudgeInput, { state: 'ready' }>;

/** Reads everything a judge refers to. An error of the pack outranks one of the platform, and that one of the agent. */
export function judgeInput(
  judge: Pick<Judge, 'context_from' | 'reference_from'>,
  evidence: AttemptEvidence,
): JudgeInput {
  if (!isGraded(evidence.attempt.outcome)) return { state: 'unavailable', reason: 'attempt_not_graded' };
  const contexts = judge.context_from.map((reference) => readReference(reference, evidence));
  const expected =
    judge.reference_from === undefined ? undefined : readReference(judge.reference_from, evidence);
  const readings = expected === undefined ? contexts : [...contexts, expected];
  for (const state of ['error', 'unavailable', 'scored'] as const) {
    const unreadable = readings.find((reading) => reading.state === state);
    if (unreadable !== undefined && unreadable.state !== 'read') return unreadable;
  }
  const texts = contexts.flatMap((reading) => (reading.state === 'read' ? [reading] : []));
  return {
    state: 'ready',
    shared: texts.filter(({ isOwn }) => !isOwn).map(plain),
    own: texts.filter(({ isOwn }) => isOwn).map(plain),
    expected: expected?.state === 'read' ? plain(expected) : undefined,
  };
}

function readReference(reference: string, evidence: AttemptEvidence): Reading {
  const parsed = parseReference(reference);
  const isOwn = parsed !== null && AGENT_KINDS.has(parsed.kind);
  const found = resolveReference(reference, evidence);
  if (found.state === 'not_collected') return { state: 'unavailable', reason: 'not_collected' };
  if (found.state === 'missing' && found.side === 'pack')
    return { state: 'error', reason: 'missing_expected' };
  // Nothing after the last mismatch is good news, not a missing output.
  const mayBeEmpty = !isOwn || (parsed.kind === 'transcript' && parsed.part === 'from_mismatch');
  if (found.state === 'missing' || (found.text === '' && !mayBeEmpty)) {
    return { state: 'scored', score: 0, reason: 'missing_output' };
  }
  return { state: 'read', reference, text: found.text, isOwn };
}

function plain({ reference, text }: JudgeText): JudgeText {
  return { reference, text };
}
