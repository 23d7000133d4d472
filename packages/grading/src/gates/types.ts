import type {
  AuditShortfall,
  ComparisonVerdict,
  GateVerdict,
  MeasureState,
  PairVerdict,
  RaceMetric,
} from '@agentclash/domain';
import type { Validity } from '../scorecard/types.js';

/** One run agent as a gate sees it. */
export interface GateSide {
  readonly validity: Validity;
  readonly passed: boolean | null;
  /** `failed` when no attempt completed. */
  readonly status: 'completed' | 'failed';
  readonly missing_share: number;
  /** Attempts were retried because of their result. */
  readonly selective_retry?: boolean;
  /** Its run was not of all cases that the other side's was of. */
  readonly lacks_cases?: boolean;
  /** Its run was served recorded or cached replies of models. */
  readonly recorded_model_calls?: boolean;
  /** Its attempts were run elsewhere and imported. */
  readonly imported?: boolean;
}

export interface GateDimension {
  readonly state: MeasureState;
  /** Candidate − baseline of normalised scores. */
  readonly delta: number | null;
  readonly se: number | null;
  readonly n: number;
  readonly verdict: ComparisonVerdict;
  /** One-sided 95 % bounds of `delta`, however the differences are distributed. */
  readonly bounds?: readonly [number, number] | null;
  /** Distinct tests of the request; 1 when it is not known. */
  readonly tests?: number;
  /** The smallest loss that would have been `worse` with 80 % power; null when none would. */
  readonly detectable?: number | null;
}

/** The verdict of a race on the candidate against the baseline. */
export interface GateRace {
  readonly verdict: PairVerdict;
  readonly metric: RaceMetric;
  /** Candidate − baseline; null before the first case. */
  readonly difference: number | null;
  /** The cases that the verdict is about. */
  readonly population: number;
}

/** The evidence of a gate's decision. */
export interface GateEvidence {
  readonly comparable: boolean;
  /** A side stopped before its last case: `dimensions` then only name what is scored. */
  readonly is_stopped?: boolean;
  /** Absent where no race has the pair. */
  readonly race?: GateRace;
  readonly cases: number;
  /** The shortfall of the version of both runs against the audit that the policy requires. */
  readonly audit_shortfall?: AuditShortfall;
  readonly candidate: GateSide;
  readonly baseline: GateSide;
  readonly dimensions: Readonly<Record<string, GateDimension>>;
}

export interface GateResult {
  readonly verdict: GateVerdict;
  /** `CODE` or `CODE:DIMENSION`: failures, then insufficiencies, then warnings. */
  readonly reasons: readonly string[];
  /** `CODE:DIMENSION` of what the policy names and lets be missing. */
  readonly notes: readonly string[];
  /** By dimension that was compared, the smallest loss that would have been `worse` with 80 % power. */
  readonly detectable: Readonly<Record<string, number | null>>;
  /** For CI: 0 pass, 1 fail, 2 warn, 3 insufficient_evidence. */
  readonly exit_code: 0 | 1 | 2 | 3;
}
