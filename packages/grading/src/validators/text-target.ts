import { isTooLarge, parseReference, type ValidatorType } from '@agentclash/challengepack';
import { type Resolution, resolveReference } from '../evidence/resolve.js';
import type { AttemptEvidence } from '../evidence/types.js';
import { didVerifierFail } from '../evidence/verification.js';
import { type Finding, fail, type Judgement, packError, TOO_LARGE } from './judgement.js';
import type { Validator, ValidatorInput } from './validator.js';

/** Judges the text of a target. */
type TextJudge<T extends ValidatorType> = (actual: string, input: ValidatorInput<T>) => Judgement;

interface TextRules<T extends ValidatorType> {
  /** True when an empty output is judged like any other text; by default only where the expected text is empty too. */
  readonly takesEmpty?: (input: ValidatorInput<T>) => boolean;
  /** True when a pass holds even if the rest of the text is not there. */
  readonly isPassFinal?: (input: ValidatorInput<T>) => boolean;
}

/** A validator of a text that any reference may name. */
export function textValidator<T extends ValidatorType>(
  judge: TextJudge<T>,
  rules: TextRules<T> = {},
): Validator<T> {
  return (input) => {
    const resolution = resolveReference(input.target, input.evidence);
    if (resolution.state === 'not_collected') return notCollected(input.evidence);
    if (resolution.state === 'missing') return missing(resolution, input.target);
    const judgement = judgeText(resolution, input, { judge, ...rules });
    return { ...judgement, pointer: resolution.pointer };
  };
}

/** Nothing was recorded: the verifier failed, or the platform did not get that far. */
export function notCollected({ events }: AttemptEvidence): Finding {
  return didVerifierFail(events)
    ? { kind: 'unavailable', outcome: 'infra_error', reason: 'verifier_failed', pointer: null }
    : { kind: 'unavailable', outcome: 'evidence_missing', reason: 'not_collected', pointer: null };
}

function missing(resolution: Extract<Resolution, { state: 'missing' }>, target: string): Finding {
  const { side, pointer } = resolution;
  if (side === 'pack') return { ...packError('missing_expected'), pointer };
  return { ...fail(kindOf(target) === 'file' ? 'file_missing' : 'missing_output'), pointer };
}

function judgeText<T extends ValidatorType>(
  { text, isTruncated, isVacuous }: Extract<Resolution, { state: 'resolved' }>,
  input: ValidatorInput<T>,
  { judge, takesEmpty, isPassFinal }: TextRules<T> & { judge: TextJudge<T> },
): Judgement {
  if (isTooLarge(input.type, text)) return TOO_LARGE;
  if (isVacuous) return { kind: 'scored', passed: true, score: 1, reason: 'no_mismatch' };
  const mayBeEmpty =
    input.expectsEmpty || !EMPTY_IS_ABSENT.has(kindOf(input.target)) || takesEmpty?.(input) === true;
  if (text === '' && !mayBeEmpty) return fail('empty_output');
  if (!isTruncated) return judge(text, input);
  const judgement = isPassFinal?.(input) ? judge(text, input) : undefined;
  return judgement?.kind === 'scored' && judgement.passed ? judgement : fail('capture_truncated');
}

const EMPTY_IS_ABSENT: ReadonlySet<string | undefined> = new Set(['final_output', 'transcript']);

function kindOf(target: string): string | undefined {
  return parseReference(target)?.kind;
}
