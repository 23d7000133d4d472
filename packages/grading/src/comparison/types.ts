import type { ComparisonVerdict, MeasureState, SideMissing } from '@agentclash/domain';
import type { RunAgentScorecard } from '../aggregate/types.js';
import type { RawValue } from '../scorecard/types.js';

/** A run agent's side of a comparison. `scorecard` is null when it has none. */
export interface ComparisonSide {
  readonly run_agent_id: string;
  readonly challenge_pack_version_id: string;
  readonly challenge_input_set_id: string;
  readonly evaluation_spec_id: string;
  readonly scorecard: RunAgentScorecard | null;
  /** It ended before its last case, by evidence or by budget: an ordinary test over it would be wrong. */
  readonly is_stopped?: boolean;
}

export type NotComparableReason =
  | 'challenge_pack_version_mismatch'
  | 'challenge_input_set_mismatch'
  | 'evaluation_spec_mismatch'
  | 'no_common_case'
  | 'missing_scorecard'
  | 'agent_unresolved'
  | 'stopped_early';

/** One paired test. Differences are candidate − baseline; every figure is null that n cannot give. */
export interface PairedTest {
  readonly n: number;
  readonly mean_difference: number | null;
  readonly sd: number | null;
  readonly se: number | null;
  /** 95 %, by Student's t. */
  readonly ci: readonly [number, number] | null;
  /** The 95 % interval: within −1..1, with a width even where no case differs, and on one side of 0 iff p < 0.05. */
  readonly interval: readonly [number, number] | null;
  /** One-sided 95 % bounds of the mean difference, however the differences are distributed. */
  readonly bounds: readonly [number, number] | null;
  /** True when the bounds show the difference to be smaller than `detect`, either way. */
  readonly negligible: boolean;
  readonly t: number | null;
  readonly df: number | null;
  /** The p value that decides, before adjustment. */
  readonly p: number | null;
  readonly method: 'paired_t' | 'mcnemar_exact' | null;
  readonly permutation_p: number | null;
  /** Minimum detectable effect at 80 % power. */
  readonly mde: number | null;
  /** Cases needed to detect `detect` at 80 % power. */
  readonly cases_needed: number | null;
  /** McNemar only: cases lost and gained. */
  readonly b?: number;
  readonly c?: number;
  readonly verdict: ComparisonVerdict;
}

export interface CasePair {
  readonly case_key: string;
  readonly baseline: number;
  readonly candidate: number;
}

/** One measure (a dimension, `overall` or `pass`) compared over the cases that both sides have. */
export interface MeasureComparison extends PairedTest {
  readonly state: MeasureState;
  /** Holm-adjusted over every distinct test of the request; it decides the verdict. */
  readonly p_adjusted: number | null;
  /** The interval at the level 1 − 0.05/tests, which holds for all tests together: on one side of 0 iff p_adjusted < 0.05. */
  readonly interval_adjusted: readonly [number, number] | null;
  /** The smallest loss that these cases would have shown as `worse` with 80 % power; null when they cannot show any. */
  readonly detectable: number | null;
  /** Means over the paired cases. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  readonly raw: { readonly baseline: RawValue | null; readonly candidate: RawValue | null };
  readonly pairs: readonly CasePair[];
}

export interface Comparison {
  readonly baseline_run_agent_id: string | null;
  readonly candidate_run_agent_id: string | null;
  readonly comparable: boolean;
  /** Why not; empty when comparable. */
  readonly reasons: readonly NotComparableReason[];
  /** Cases that both sides have. */
  readonly cases: number;
  /** Tests of the whole request, equal ones counted once: what p values are adjusted for. */
  readonly tests: number;
  /** The difference that `cases_needed` is counted for, and that `negligible` ones are below. */
  readonly detect: number;
  /** Of each side the planned attempts without a usable scorecard; absent when neither lacks any. */
  readonly missing?: { readonly baseline?: SideMissing; readonly candidate?: SideMissing };
  readonly overall: MeasureComparison;
  readonly pass: MeasureComparison;
  readonly dimensions: Readonly<Record<string, MeasureComparison>>;
}
