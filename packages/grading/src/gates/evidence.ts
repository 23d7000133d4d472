import type { AuditShortfall } from '@agentclash/domain';
import type { RunAgentReason, RunAgentScorecard } from '../aggregate/types.js';
import type { Comparison, MeasureComparison } from '../comparison/types.js';
import type { GateDimension, GateEvidence, GateRace, GateSide } from './types.js';

/** The facts of a side that a gate reads besides its comparison. */
export interface GateSubject {
  readonly scorecard: RunAgentScorecard | null;
  /** Attempts that ended `completed`. */
  readonly completed_attempts: number;
  readonly selective_retry: boolean;
  /** Its run was not of all cases that the other side's was of. */
  readonly lacks_cases?: boolean;
  /** Its run was served recorded or cached replies of models. */
  readonly recorded_model_calls?: boolean;
  /** Its attempts were run elsewhere and imported. */
  readonly imported?: boolean;
}

export interface GateSubjects {
  readonly baseline: GateSubject;
  readonly candidate: GateSubject;
  /** The verdict of a race on both. */
  readonly race?: GateRace | undefined;
  readonly audit_shortfall?: AuditShortfall | undefined;
}

/** A comparison as a gate looks at it. */
export function gateEvidence(comparison: Comparison, subjects: GateSubjects): GateEvidence {
  const { reasons } = comparison;
  const isStopped = reasons.includes('stopped_early');
  return {
    comparable: reasons.every((reason) => reason === 'stopped_early'),
    ...(isStopped && { is_stopped: true }),
    ...(isStopped && subjects.race && { race: subjects.race }),
    cases: comparison.cases,
    ...(subjects.audit_shortfall && { audit_shortfall: subjects.audit_shortfall }),
    baseline: sideOf(subjects.baseline, isStopped),
    candidate: sideOf(subjects.candidate, isStopped),
    dimensions: Object.fromEntries(
      Object.entries(comparison.dimensions).map(([key, measure]) => [
        key,
        dimensionOf(measure, comparison.tests),
      ]),
    ),
  };
}

function dimensionOf(
  { state, mean_difference: delta, se, n, verdict, bounds, detectable }: MeasureComparison,
  tests: number,
): GateDimension {
  return { state, delta, se, n, verdict, bounds, detectable, tests };
}

/** Verdicts of a run agent that no further case can change. */
const FINAL_REASONS: readonly RunAgentReason[] = ['case_failed', 'gate_failed', 'security_incident'];

export function sideOf(subject: GateSubject, isStopped: boolean): GateSide {
  const { scorecard, completed_attempts, selective_retry, lacks_cases } = subject;
  const { recorded_model_calls, imported } = subject;
  return {
    validity: scorecard?.validity ?? 'invalid',
    passed:
      scorecard === null || (isStopped && !FINAL_REASONS.includes(scorecard.reason))
        ? null
        : scorecard.passed,
    status: completed_attempts > 0 ? 'completed' : 'failed',
    missing_share: scorecard?.missing_share ?? 1,
    selective_retry,
    ...(lacks_cases !== undefined && { lacks_cases }),
    ...(recorded_model_calls !== undefined && { recorded_model_calls }),
    ...(imported !== undefined && { imported }),
  };
}
