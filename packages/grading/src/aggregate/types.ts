import type { Strategy } from '@agentclash/challengepack';
import type { MissingAttempts } from '@agentclash/domain';
import type { RawValue, Validity, VerdictReason } from '../scorecard/types.js';
import type { SecurityIncident } from '../security/types.js';
import type { ScoreEstimate } from '../statistics/sample.js';
import type { AttemptSummary } from './attempt-facts.js';

/** One attempt of a run agent; `scorecard` is null where none could be made. Repetitions count from 1. */
export interface ScoredAttempt {
  readonly case_key: string;
  readonly repetition: number;
  readonly scorecard: AttemptSummary | null;
  /** Why its scorecard is not usable, where that is known. */
  readonly missing_reason?: string | undefined;
}

export type RunAgentReason =
  | Exclude<VerdictReason, 'all_dimensions_pass' | 'dimension_below_threshold' | 'dimension_unavailable'>
  | 'all_cases_pass'
  | 'case_failed'
  | 'missing_share';

/** A share of cases' k-draws that pass, over the cases with at least k trials; null when there is none. */
export interface PassAtK {
  readonly value: number | null;
  readonly cases: number;
}

/** The mean over a dimension's cases, its measured value beside it. */
export interface DimensionEstimate extends ScoreEstimate {
  readonly raw: RawValue | null;
}

/** The contribution of one case: means over its usable repetitions. */
export interface CaseSummary {
  readonly case_key: string;
  readonly overall: number | null;
  /** Attempts with a verdict, and how many of them passed. */
  readonly trials: number;
  readonly successes: number;
  readonly dimensions: Readonly<Record<string, number | null>>;
  /** Measured values by dimension, where it has one. */
  readonly raw: Readonly<Record<string, RawValue>>;
}

export interface CaseIncident extends SecurityIncident {
  readonly case_key: string;
  readonly repetition: number;
}

/** The scores of a run agent over all its attempts. */
export interface RunAgentScorecard {
  readonly strategy: Strategy;
  readonly passed: boolean | null;
  readonly reason: RunAgentReason;
  readonly validity: Validity;
  /** Share of planned attempts without a usable scorecard. */
  readonly missing_share: number;
  /** The share above which it cannot pass and ranks below agents within it. */
  readonly max_missing_share: number;
  readonly planned_attempts: number;
  readonly usable_attempts: number;
  /** Which attempts are not usable, and why; absent when all are. */
  readonly missing_attempts?: MissingAttempts;
  readonly overall: ScoreEstimate;
  readonly pass_rate: ScoreEstimate;
  readonly dimensions: Readonly<Record<string, DimensionEstimate>>;
  /** True when each gate held in every usable attempt; null when it was never below but sometimes unavailable. */
  readonly gates: Readonly<Record<string, boolean | null>>;
  readonly pass_at_k: Readonly<Record<string, PassAtK>>;
  readonly pass_hat_k: Readonly<Record<string, PassAtK>>;
  /** Share of the cases with several trials whose trials disagree; null without such a case. */
  readonly flake_rate: number | null;
  /** Cases whose trials disagree, by code point. */
  readonly flaky_cases: readonly string[];
  /** By code point of the case key. */
  readonly cases: readonly CaseSummary[];
  /** Present for a security pack. */
  readonly security?: { readonly passed: boolean; readonly incidents: readonly CaseIncident[] };
}
