import { compareCodePoints } from '@agentclash/challengepack';
import { canonicalSha256 } from '../canonical.js';
import {
  type FailureSignals,
  failureSignals,
  hasOutcome,
  keyBegins,
  keyContains,
  nothingFails,
} from './signals.js';
import type {
  EvidenceTier,
  FailedAttempt,
  FailureClass,
  FailureClassName,
  FailureSeverity,
} from './types.js';

const OBSERVED_TIERS: ReadonlySet<EvidenceTier> = new Set(['native_structured', 'hosted_structured']);

/** Names why an attempt did not pass, and whether the agent is the cause. */
export function classifyFailure(failed: FailedAttempt): FailureClass {
  const signals = failureSignals(failed);
  const name = FAILURE_RULES.find((rule) => rule.applies(signals))?.class ?? 'other';
  const { code, agent_fault } = FAILURE_CLASSES[name];
  return {
    class: name,
    code,
    agent_fault,
    severity: severityOf(name, failed.evidence_tier),
    failing_keys: [
      ...new Set(name === 'evaluation_fault' ? faultyKeys(failed) : signals.failing.map(({ key }) => key)),
    ].sort(compareCodePoints),
  };
}

/** Of an evaluation failure: the validators and judges that could not grade. */
function faultyKeys({ validators, judges }: FailedAttempt): string[] {
  const faulty = validators.filter(
    ({ outcome }) => outcome === 'pack_error' || outcome === 'evaluator_error',
  );
  const unscored = judges.filter(({ scored }) => !scored);
  return [...faulty, ...unscored].map(({ key }) => key);
}

function severityOf(name: FailureClassName, tier: EvidenceTier): FailureSeverity {
  const { severity, blocks } = FAILURE_CLASSES[name];
  if (severity !== undefined) return severity;
  return blocks && OBSERVED_TIERS.has(tier) ? 'blocking' : 'warning';
}

/** Names a failure across runs and agents, so that recurrences meet: `frc_` and 64 hex digits. */
export function failureClusterKey(
  packSlug: string,
  caseKey: string,
  failure: Pick<FailureClass, 'class' | 'failing_keys'>,
): string {
  return `frc_${canonicalSha256([packSlug, caseKey, failure.class, failure.failing_keys])}`;
}

interface ClassFacts {
  readonly code: string;
  readonly agent_fault: boolean;
  /** Severity however well the attempt was observed; otherwise `warning`. */
  readonly severity?: 'info';
  /** Present when it blocks once the steps were observed. */
  readonly blocks?: true;
}

const FAILURE_CLASSES: { readonly [C in FailureClassName]: ClassFacts } = {
  insufficient_evidence: { code: 'evidence.insufficient', agent_fault: false, severity: 'info' },
  timeout_or_budget_exhaustion: { code: 'workflow.timeout_budget', agent_fault: true, blocks: true },
  policy_violation: { code: 'agent.policy_violation', agent_fault: true, blocks: true },
  provider_failure: { code: 'platform.provider_failure', agent_fault: false },
  sandbox_failure: { code: 'platform.sandbox_failure', agent_fault: false, blocks: true },
  platform_failure: { code: 'platform.failure', agent_fault: false },
  evaluation_fault: { code: 'evaluation.fault', agent_fault: false, severity: 'info' },
  malformed_output: { code: 'agent.malformed_output', agent_fault: true, blocks: true },
  tool_argument_error: { code: 'agent.tool_arguments', agent_fault: true },
  tool_selection_error: { code: 'agent.tool_selection', agent_fault: true },
  dependency_resolution_failure: { code: 'workflow.dependency_resolution', agent_fault: true },
  retrieval_grounding_failure: { code: 'agent.retrieval_grounding', agent_fault: true },
  flaky_non_deterministic: { code: 'evidence.flaky_nondeterministic', agent_fault: false },
  incorrect_final_output: { code: 'agent.output_incorrect', agent_fault: true },
  other: { code: 'agent.other', agent_fault: true },
};

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
const FAILURE_RULES: readonly Rule[] = [
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
