import type { Validity } from '../scorecard/types.js';

/** The few figures that order run agents. */
export interface Standing {
  readonly id: string;
  readonly validity: Validity;
  /** Whether its missing share exceeds what its evaluation spec allows; default: it does not. */
  readonly too_much_missing?: boolean;
  readonly passed: boolean | null;
  readonly overall: number | null;
  readonly correctness: number | null;
  readonly reliability: number | null;
}

export type RankingReason =
  | 'validity'
  | 'missing_share'
  | 'passed'
  | 'overall'
  | 'correctness'
  | 'reliability'
  | 'tie'
  | 'only_agent';

export interface RankedAgent {
  readonly id: string;
  /** Dense, from 1; equal agents share a rank. */
  readonly rank: number;
  /** The first key that separates it from the agent above (the first agent: from the next). */
  readonly reason: RankingReason;
}

/** A row of a view sorted by one dimension; agents without it come last, unranked. */
export interface DimensionRank {
  readonly id: string;
  readonly rank: number | null;
  readonly value: number | null;
}
