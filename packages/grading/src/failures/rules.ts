import { type FailureSignals, hasOutcome, keyBegins, keyContains, nothingFails } from './signals.js';
import type { EvidenceTier, FailureClassName } from './types.js';

interface Rule {
  readonly class: FailureClassName;
  readonly applies: (signals: FailureSignals) => boolean;
}

const BLIND_TIERS: ReadonlySet<EvidenceTier> = new Set(['hosted_black_box', 'none']);
const MALFORMED = new Set([
  'missing_output',
  'empty_output',
  'unparsable_output',
  'ambiguous_number',
  'schema_violation',
]);
const TOOL_TYPES = new Set(['tool_call_assertion', 'trajectory_match']);

/** Tried in order; the first that applies names the failure. */
export const FAILURE_RULES: readonly Rule[] = [
  { class: 'insufficient_evidence', applies: isUnseen },
  {
    class: 'timeout_or_budget_exhaustion',
    applies: ({ failed }) => failed.attempt.outcome === 'limit_reached',
  },
  { class: 'policy_violation', applies: ({ failed }) => failed.attempt.outcome === 'policy_violation' },
  { class: 'provider_failure', applies: ({ failed }) => failed.attempt.outcome === 'provider_error' },
  { class: 'sandbox_failure', applies: (signals) => isInfraError(signals) && isSandboxCode(signals) },
  { class: 'platform_failure', applies: isInfraError },
  { class: 'sandbox_failure', applies: (signals) => hasOutcome(signals, 'infra_error') },
  { class: 'policy_violation', applies: ({ failed }) => failed.has_security_incident === true },
  { class: 'evaluation_fault', applies: (signals) => nothingFails(signals) && isEvaluationFailure(signals) },
  {
    class: 'insufficient_evidence',
    applies: (signals) => nothingFails(signals) && hasOutcome(signals, 'evidence_missing'),
  },
  {
    class: 'policy_violation',
    applies: (signals) => keyContains(signals, 'policy', 'forbidden', 'disallowed'),
  },
  {
    class: 'malformed_output',
    applies: ({ failing }) => failing.some(({ reason }) => reason !== null && MALFORMED.has(reason)),
  },
  { class: 'tool_argument_error', applies: (signals) => keyContains(signals, 'argument') },
  { class: 'tool_selection_error', applies: isWrongTool },
  { class: 'dependency_resolution_failure', applies: isDependencyKey },
  {
    class: 'retrieval_grounding_failure',
    applies: (signals) => keyContains(signals, 'retrieval', 'grounding'),
  },
  { class: 'flaky_non_deterministic', applies: ({ failed }) => failed.flaked },
  { class: 'incorrect_final_output', applies: (signals) => !nothingFails(signals) },
];

/** Too little of the attempt was observed for a class. */
function isUnseen(signals: FailureSignals): boolean {
  const { attempt, evidence_tier, has_security_incident } = signals.failed;
  if (has_security_incident) return false;
  const hasEnded = attempt.outcome === 'completed' || attempt.outcome === 'agent_error';
  return nothingFails(signals) && BLIND_TIERS.has(evidence_tier) && hasEnded;
}

function isInfraError({ failed }: FailureSignals): boolean {
  return failed.attempt.outcome === 'infra_error';
}

function isSandboxCode({ failed }: FailureSignals): boolean {
  return failed.attempt.error_code?.startsWith('sandbox') ?? false;
}

function isEvaluationFailure(signals: FailureSignals): boolean {
  return (
    hasOutcome(signals, 'pack_error', 'evaluator_error') ||
    signals.failed.judges.some((judge) => !judge.scored)
  );
}

function isWrongTool(signals: FailureSignals): boolean {
  return (
    keyContains(signals, 'tool_selection', 'tool-selection', 'wrong_tool') ||
    signals.failing.some(({ type }) => type !== null && TOOL_TYPES.has(type))
  );
}

function isDependencyKey(signals: FailureSignals): boolean {
  return (
    keyBegins(signals, 'dependency.', 'dependencies.', 'import.resolution.', 'import.dependency.') ||
    keyContains(signals, 'missing_dependency', 'unresolved_dependency', 'hallucinated_package')
  );
}
