import type { AuditRequirement } from './pack-audit.js';

export const GATE_VERDICTS = ['pass', 'warn', 'fail', 'insufficient_evidence'] as const;
export type GateVerdict = (typeof GATE_VERDICTS)[number];

/** How a drop becomes a finding: by the means alone, by significance, or by the bounds of the difference. */
export const GATE_MODES = ['point', 'significant', 'non_inferior'] as const;
export type GateMode = (typeof GATE_MODES)[number];

/** The effect of a dimension of the policy that a side lacks. */
export const MISSING_DIMENSION_EFFECTS = ['note', 'insufficient_evidence'] as const;

/** The effect on a gate of a side whose attempts were run elsewhere and imported. */
export const IMPORTED_RUN_EFFECTS = ['refuse', 'warn', 'allow'] as const;
export type ImportedRunEffect = (typeof IMPORTED_RUN_EFFECTS)[number];

/** The verdict on one measure of two run agents, seen from the candidate. */
export const COMPARISON_VERDICTS = ['better', 'worse', 'inconclusive'] as const;
export type ComparisonVerdict = (typeof COMPARISON_VERDICTS)[number];

/** The result of comparing a variant of a deployment with its baseline. */
export const VARIANT_VERDICTS = ['helps', 'harms', 'no_difference_shown'] as const;
export type VariantVerdict = (typeof VARIANT_VERDICTS)[number];

/** A measure is available when it exists on both sides. */
export const MEASURE_STATES = ['available', 'unavailable'] as const;
export type MeasureState = (typeof MEASURE_STATES)[number];

/** The limits of one dimension, as authored. */
export interface GateComparisonSpec {
  /** In normalised score, 0..1; 0 <= warn <= fail. Limits are inclusive: an unchanged score reaches a limit of 0. */
  max_regression: { warn: number; fail: number };
  /** Default: `point`. */
  mode?: GateMode;
}

/** The rules by which a gate compares a candidate with its baseline, as authored. */
export interface GatePolicySpec {
  name: string;
  /** By dimension key, in the order their reasons are listed. */
  comparisons?: Record<string, GateComparisonSpec>;
  /** For every other dimension that both sides have. Without it they are not compared. */
  other_dimensions?: GateComparisonSpec;
  /** Default: `insufficient_evidence`. */
  missing_dimension?: (typeof MISSING_DIMENSION_EFFECTS)[number];
  /** True when the candidate must have passed independently of the baseline. */
  require_pass?: boolean;
  /** Attempts without a usable scorecard that either side may have, as a share of the planned ones. */
  max_missing_share?: number;
  /** Cases that both sides must have. */
  min_cases?: number;
  /** True when either side may be a run that was served recorded or cached replies of models; default: no. */
  allow_recorded_model_calls?: boolean;
  /** When either side is an imported run; default: `refuse`, the evidence is insufficient. */
  imported_runs?: ImportedRunEffect;
  /** The audit that the version of the runs must have passed; default: none. */
  pack_audit?: GateAuditSpec;
}

/** The audit that a gate requires of the version of its runs. */
export interface GateAuditSpec extends AuditRequirement {
  required: boolean;
}

export type GateComparison = Required<GateComparisonSpec>;

/** A policy with its defaults filled in. */
export interface GatePolicy extends GatePolicySpec {
  comparisons: Record<string, GateComparison>;
  other_dimensions?: GateComparison;
  require_pass: boolean;
  max_missing_share: number;
  min_cases: number;
}
