import type { DimensionSource, Strategy } from '@agentclash/challengepack';
import type { JudgeResult } from '../judges/types.js';
import type { MetricResult } from '../metrics/types.js';
import type { SecurityResult } from '../security/types.js';
import type { ValidatorResult } from '../validators/result.js';

export type DimensionState = 'available' | 'unavailable' | 'error';
export type Validity = 'valid' | 'degraded' | 'invalid';
export type ScorecardStatus = 'complete' | 'partial';

/** Why an attempt passed, failed, or has no verdict. */
export type VerdictReason =
  | 'threshold_met'
  | 'below_threshold'
  | 'gates_hold'
  | 'gate_failed'
  | 'gate_unavailable'
  | 'all_dimensions_pass'
  | 'dimension_below_threshold'
  | 'dimension_unavailable'
  | 'no_evidence'
  | 'no_pass_bar'
  | 'workspace_not_searched'
  | 'security_incident';

export interface RawValue {
  readonly value: number;
  readonly unit: string | null;
}

/** One dimension of one attempt. */
export interface DimensionResult {
  readonly key: string;
  readonly source: DimensionSource;
  readonly state: DimensionState;
  /** 0..1, higher is better; null unless available. */
  readonly score: number | null;
  readonly reason: string | null;
  /** The measured value behind a normalised score. */
  readonly raw: RawValue | null;
  readonly weight: number;
  readonly gate: boolean;
  readonly pass_threshold: number | null;
  /** Of a gate (in binary: of every dimension) whether it held; null when it is unavailable or is no gate. */
  readonly gate_passed: boolean | null;
  /** Its part of `overall`; null when it does not enter the mean. */
  readonly contribution: number | null;
}

export interface Verdict {
  readonly overall: number | null;
  readonly passed: boolean | null;
  readonly reason: VerdictReason;
}

/** The scores of one attempt: a function of the evaluation spec and the evidence alone. */
export interface Scorecard extends Verdict {
  readonly strategy: Strategy;
  readonly validity: Validity;
  readonly status: ScorecardStatus;
  readonly dimensions: readonly DimensionResult[];
  readonly validators: readonly ValidatorResult[];
  readonly metrics: readonly MetricResult[];
  readonly judges: readonly JudgeResult[];
  /** `CODE:JUDGE`, sorted. */
  readonly warnings: readonly string[];
  /** Model cost over passing validators; null without either. */
  readonly cost_per_correct_usd: number | null;
  /** Replies of models that were served without a call; absent for none. */
  readonly served_calls?: number;
  /** Present for a security pack; null when the attempt is not graded. */
  readonly security?: SecurityResult | null;
}
