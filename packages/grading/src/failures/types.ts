import type { RecordedEnd } from '../evidence/types.js';
import type { ValidatorResult } from '../validators/result.js';

/** The detail of the recorded events: our own engine's steps, a hosted agent's, its output only, a summary, nothing. */
export type EvidenceTier =
  | 'native_structured'
  | 'hosted_structured'
  | 'hosted_black_box'
  | 'derived_summary'
  | 'none';

export type FailureClassName =
  | 'insufficient_evidence'
  | 'timeout_or_budget_exhaustion'
  | 'policy_violation'
  | 'provider_failure'
  | 'sandbox_failure'
  | 'platform_failure'
  | 'evaluation_fault'
  | 'malformed_output'
  | 'tool_argument_error'
  | 'tool_selection_error'
  | 'dependency_resolution_failure'
  | 'retrieval_grounding_failure'
  | 'flaky_non_deterministic'
  | 'incorrect_final_output'
  | 'other';

export type FailureSeverity = 'info' | 'warning' | 'blocking';

/** A judge as failure classes see it. */
export interface JudgedKey {
  readonly key: string;
  /** Its assertion is 0, or its score is below the threshold of its dimension. */
  readonly failing: boolean;
  /** True when it has a score at all. */
  readonly scored: boolean;
}

/** An attempt that did not pass. */
export interface FailedAttempt {
  readonly attempt: RecordedEnd;
  readonly evidence_tier: EvidenceTier;
  readonly validators: readonly Pick<ValidatorResult, 'key' | 'type' | 'outcome' | 'reason'>[];
  readonly judges: readonly JudgedKey[];
  /** True when the case both passed and failed in this run. */
  readonly flaked: boolean;
  /** True when an incident of a security pack failed it; absent: no. */
  readonly has_security_incident?: boolean;
}

export interface FailureClass {
  readonly class: FailureClassName;
  readonly code: string;
  readonly agent_fault: boolean;
  readonly severity: FailureSeverity;
  /** The failing validators and judges, by code point. */
  readonly failing_keys: readonly string[];
}
