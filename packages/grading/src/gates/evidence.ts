import type { RunAgentScorecard } from '../aggregate/types.js';
import type { Comparison, MeasureComparison } from '../comparison/types.js';
import type { GateDimension, GateEvidence, GateSide } from './types.js';

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
}

export interface GateSubjects {
  readonly baseline: GateSubject;
  readonly candidate: GateSubject;
}

/** A comparison as a gate looks at it. */
export function gateEvidence(comparison: Comparison, subjects: GateSubjects): GateEvidence {
  return {
    comparable: comparison.comparable,
    cases: comparison.cases,
    baseline: sideOf(subjects.baseline),
    candidate: sideOf(subjects.candidate),
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

function sideOf(subject: GateSubject): GateSide {
  const { scorecard, completed_attempts, selective_retry, lacks_cases, recorded_model_calls } = subject;
  return {
    validity: scorecard?.validity ?? 'invalid',
    passed: scorecard?.passed ?? null,
    status: completed_attempts > 0 ? 'completed' : 'failed',
    missing_share: scorecard?.missing_share ?? 1,
    selective_retry,
    ...(lacks_cases !== undefined && { lacks_cases }),
    ...(recorded_model_calls !== undefined && { recorded_model_calls }),
  };
}
