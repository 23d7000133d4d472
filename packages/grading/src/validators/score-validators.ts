import type { EvaluationSpec, Steps, ValidatorOf, ValidatorType } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import { type EvidencePointer, pointTo } from '../evidence/pointer.js';
import { resolveReference } from '../evidence/resolve.js';
import { toolTrace } from '../evidence/tool-trace.js';
import { type AttemptEvidence } from '../evidence/types.js';
import { comparedBy } from './compared.js';
import { EXPECTATIONS } from './expectation.js';
import type { Finding } from './judgement.js';
import { withPauses } from './pauses.js';
import type { ValidatorResult } from './result.js';
import { notCollected } from './text-target.js';
import { VALIDATORS } from './validators.js';

export interface ScoringHooks {
  /** Receives an exception in a validator, which is our bug; its result is an `evaluator_error`. */
  readonly onBug?: (error: unknown, validatorKey: string) => void;
}

const BUG: Finding = { kind: 'error', outcome: 'evaluator_error', reason: 'validator_failed', pointer: null };

const OVERRUN: Finding = {
  kind: 'error',
  outcome: 'evaluator_error',
  reason: 'resource_limit',
  pointer: null,
};

/** The result of a validator that was stopped from outside because it took too long or too much memory. */
export function overrunResult(validator: ValidatorOf<ValidatorType>): ValidatorResult {
  return resultOf(validator, OVERRUN);
}

/**
 * Judges an attempt by every validator of the spec, in their order. The results depend on spec and evidence alone;
 * it is asynchronous only so that long comparisons let other work run in between.
 */
export async function scoreValidators(
  spec: Pick<EvaluationSpec, 'validators'>,
  evidence: AttemptEvidence,
  { onBug }: ScoringHooks = {},
): Promise<ValidatorResult[]> {
  const results: ValidatorResult[] = [];
  for (const validator of spec.validators) {
    try {
      results.push(await withPauses(scoreValidator(validator, evidence)));
    } catch (error) {
      onBug?.(error, validator.key);
      results.push(resultOf(validator, BUG));
    }
  }
  return results;
}

/** One validator's result, in steps. */
function* scoreValidator<T extends ValidatorType>(
  validator: ValidatorOf<T>,
  evidence: AttemptEvidence,
): Steps<ValidatorResult> {
  const result = resultOf(validator, yield* findingOf(validator, evidence));
  if (result.verdict === 'pass' || !isGraded(evidence.attempt.outcome)) return result;
  return { ...result, compared: comparedBy(validator, evidence) };
}

function* findingOf<T extends ValidatorType>(
  validator: ValidatorOf<T>,
  evidence: AttemptEvidence,
): Steps<Finding> {
  return isGraded(evidence.attempt.outcome)
    ? yield* judged(validator, evidence)
    : yield* ungraded(validator, evidence);
}

function* judged<T extends ValidatorType>(
  validator: ValidatorOf<T>,
  evidence: AttemptEvidence,
): Steps<Finding> {
  const expectation = yield* EXPECTATIONS[validator.type](validator, evidence);
  if (expectation.state === 'judged') {
    return { ...expectation.judgement, pointer: targetPointer(validator, evidence) };
  }
  if (expectation.state === 'not_collected') return notCollected(evidence);
  const { key, type, target, config } = validator;
  const { value: expected, isEmpty: expectsEmpty } = expectation;
  return yield* VALIDATORS[type]({ key, type, target, config, expected, expectsEmpty, evidence });
}

function* ungraded<T extends ValidatorType>(
  validator: ValidatorOf<T>,
  evidence: AttemptEvidence,
): Steps<Finding> {
  const outcome = evidence.attempt.outcome === 'cancelled' ? 'evidence_missing' : 'infra_error';
  // Of tool calls the matching ones are the evidence, and only the validator knows which these are.
  const pointer =
    validator.target === 'tool_calls'
      ? (yield* judged(validator, evidence)).pointer
      : targetPointer(validator, evidence);
  return { kind: 'unavailable', outcome, reason: 'attempt_not_graded', pointer };
}

/** The evidence that a target points to when it is not graded. */
function targetPointer<T extends ValidatorType>(
  { target }: ValidatorOf<T>,
  evidence: AttemptEvidence,
): EvidencePointer | null {
  if (target === 'tool_calls') return pointTo(toolTrace(evidence.events));
  const found = resolveReference(target, evidence);
  return found.state === 'not_collected' ? null : found.pointer;
}

function resultOf<T extends ValidatorType>({ key, type }: ValidatorOf<T>, finding: Finding): ValidatorResult {
  const { kind: state, reason, pointer: evidence } = finding;
  if (finding.kind !== 'scored') {
    return { key, type, state, verdict: null, score: null, reason, outcome: finding.outcome, evidence };
  }
  const { passed, score } = finding;
  const verdict = passed ? 'pass' : 'fail';
  return {
    key,
    type,
    state,
    verdict,
    score,
    reason,
    outcome: passed ? 'agent_pass' : 'agent_fail',
    evidence,
  };
}
