import type { EvaluationSpec, ValidatorOf, ValidatorType } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import { isToolTraceKnown } from '../evidence/imported.js';
import { type EvidencePointer, pointTo } from '../evidence/pointer.js';
import { resolveReference } from '../evidence/resolve.js';
import { toolTrace } from '../evidence/tool-trace.js';
import type { AttemptEvidence } from '../evidence/types.js';
import { codeExecution } from './code-execution.js';
import { comparedBy } from './compared.js';
import { EXPECTATIONS } from './expectation.js';
import { FILES } from './files.js';
import { JSON_VALUES } from './json.js';
import type { Finding } from './judgement.js';
import { LISTS } from './lists.js';
import { NUMBERS } from './numbers.js';
import type { ValidatorResult } from './result.js';
import { script } from './script.js';
import { TEXT_COMPARISONS } from './text-comparisons.js';
import { TEXT_SIMILARITY } from './text-similarity.js';
import { notCollected } from './text-target.js';
import { TOOL_CALLS } from './tool-calls.js';
import type { Validator } from './validator.js';
import { xmlValid } from './xml.js';

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
 * Judges an attempt by every validator of the spec that applies to its case, in their order. The results depend on spec and evidence alone.
 * A hostile pattern or text may take long: a service calls it in a thread that it limits in time and memory.
 */
export function scoreValidators(
  spec: Pick<EvaluationSpec, 'validators'>,
  evidence: AttemptEvidence,
  { onBug }: ScoringHooks = {},
): ValidatorResult[] {
  const results: ValidatorResult[] = [];
  for (const validator of spec.validators) {
    if (!isApplicable(validator, evidence)) continue;
    try {
      results.push(scoreValidator(validator, evidence));
    } catch (error) {
      onBug?.(error, validator.key);
      results.push(resultOf(validator, BUG));
    }
  }
  return results;
}

/** A validator with a condition judges the cases that meet it; other attempts have no result of it. */
export function isApplicable(
  { when }: Pick<ValidatorOf<ValidatorType>, 'when'>,
  evidence: AttemptEvidence,
): boolean {
  return when === undefined || resolveReference(when, evidence).state === 'resolved';
}

function scoreValidator<T extends ValidatorType>(
  validator: ValidatorOf<T>,
  evidence: AttemptEvidence,
): ValidatorResult {
  const result = resultOf(validator, findingOf(validator, evidence));
  if (result.verdict === 'pass' || !isGraded(evidence.attempt.outcome)) return result;
  return { ...result, compared: comparedBy(validator, evidence) };
}

function findingOf<T extends ValidatorType>(validator: ValidatorOf<T>, evidence: AttemptEvidence): Finding {
  return isGraded(evidence.attempt.outcome) ? judged(validator, evidence) : ungraded(validator, evidence);
}

function judged<T extends ValidatorType>(validator: ValidatorOf<T>, evidence: AttemptEvidence): Finding {
  const expectation = EXPECTATIONS[validator.type](validator, evidence);
  if (expectation.state === 'judged') {
    return { ...expectation.judgement, pointer: targetPointer(validator, evidence) };
  }
  if (expectation.state === 'not_collected') return notCollected(evidence);
  if (validator.target === 'tool_calls' && !isToolTraceKnown(evidence)) return notCollected(evidence);
  const { key, type, target, config } = validator;
  const { value: expected, isEmpty: expectsEmpty } = expectation;
  const finding = VALIDATORS[type]({ key, type, target, config, expected, expectsEmpty, evidence });
  return validator.expect === false ? inverted(finding) : finding;
}

/** Without an output there is nothing that could be right: these failures remain. */
const NO_OUTPUT: ReadonlySet<string | null> = new Set([
  'missing_output',
  'empty_output',
  'file_missing',
  'capture_truncated',
]);

function inverted(finding: Finding): Finding {
  if (finding.kind !== 'scored' || NO_OUTPUT.has(finding.reason)) return finding;
  const { passed, score, pointer } = finding;
  return {
    kind: 'scored',
    passed: !passed,
    score: 1 - score,
    reason: passed ? 'unexpected_match' : null,
    pointer,
  };
}

function ungraded<T extends ValidatorType>(validator: ValidatorOf<T>, evidence: AttemptEvidence): Finding {
  const outcome = evidence.attempt.outcome === 'cancelled' ? 'evidence_missing' : 'infra_error';
  // Of tool calls the matching ones are the evidence, and only the validator knows which these are.
  const pointer =
    validator.target === 'tool_calls'
      ? judged(validator, evidence).pointer
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
  const { kind: state, reason, pointer: evidence, metrics, detail } = finding;
  if (finding.kind !== 'scored') {
    const { outcome } = finding;
    const explained = detail === undefined ? {} : { detail };
    return { key, type, state, verdict: null, score: null, reason, outcome, evidence, ...explained };
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
    ...(detail !== undefined && { detail }),
    ...(metrics && (metrics.ok ? { metrics: metrics.value } : { metrics_reason: metrics.reason })),
  };
}

/** Every type of validator, from the tables of the families; the compiler names the missing one. */
const VALIDATORS: { readonly [T in ValidatorType]: Validator<T> } = {
  ...TEXT_COMPARISONS,
  ...TEXT_SIMILARITY,
  ...NUMBERS,
  ...LISTS,
  ...JSON_VALUES,
  xml_valid: xmlValid,
  ...FILES,
  code_execution: codeExecution,
  script,
  ...TOOL_CALLS,
};
