/** `ranking`: every pair of lanes. `best`: the best lane. `baseline`: each lane against the baseline. */
export type RaceGoal = 'ranking' | 'best' | 'baseline';

/** `pass` is an attempt's `passed` as 1 or 0, `overall` its overall score. */
export type RaceMetric = 'pass' | 'overall';

export interface RaceSettings {
  readonly goal: RaceGoal;
  /** The chance that any verdict of the race is false. */
  readonly alpha: number;
  /** Lanes that differ by less are `equivalent`; 0 for none. */
  readonly margin: number;
  /** The share of cases without a value above which a pair is `insufficient`. */
  readonly max_missing_share: number;
  /** The racing lanes, by run agent. */
  readonly lanes: readonly string[];
  /** For the goal `baseline`: the run agent that every lane is compared with. It does not race. */
  readonly baseline?: string;
}

/** One case of one lane, all repetitions ended. */
export interface RaceBlock {
  readonly lane: string;
  readonly case_key: string;
  /** Within 0..1; null without a usable attempt. */
  readonly value: number | null;
}

/** Of lane `a` against lane `b`: `better` means that `a` is. */
export type PairVerdict = 'better' | 'worse' | 'equivalent' | 'exact' | 'insufficient' | 'undecided';

/**
 * `not_needed`: the goal does not depend on this pair any more, because one of its lanes is certainly not the best.
 * `stopped`: the race ended before a verdict.
 */
export type PairState = 'open' | 'decided' | 'not_needed' | 'stopped';

export interface PairDecision {
  readonly a: string;
  readonly b: string;
  readonly state: PairState;
  /** null while the pair is open. */
  readonly verdict: PairVerdict | null;
  /** The sign of a − b that the verdict states: of `better`, `worse` and `exact`. */
  readonly sign: -1 | 0 | 1 | null;
  /** Cases of the drawn order that have counted, those without a value included. */
  readonly position: number;
  /** t: values that have counted. */
  readonly cases: number;
  /** N: all cases of the race, less the missing ones. */
  readonly population: number;
  /** Counted cases that lack a value on either side. */
  readonly missing: number;
  /** The mean difference a − b over the counted cases; null without any. */
  readonly difference: number | null;
  /** The confidence sequence of the difference over all N cases, within −1..1. The ends are no part of it. */
  readonly interval: readonly [number, number];
}

/** A lane that no longer runs: later cases of it are cancelled or skipped, and never count. */
export interface Elimination {
  /** Cases of the drawn order after which it left, counted from 1. */
  readonly position: number;
  readonly case_key: string;
  /** The other lane of the pair that let it go; for `beaten`, the lane that is certainly better. */
  readonly by: string;
  /** `beaten`: it is certainly not the best. `decided`: the goal does not depend on it any more. */
  readonly reason: 'beaten' | 'decided';
}

export interface LaneDecision {
  readonly lane: string;
  /** Cases of the drawn order that count for the lane itself: up to its elimination, else those that ended without a gap. */
  readonly position: number;
  /** null while it runs, and when it ran to the last case. */
  readonly eliminated: Elimination | null;
}

export interface RaceDecisions {
  /** `decided`: no lane must run on, before the last case. `complete`: the last case was needed. */
  readonly state: 'open' | 'decided' | 'complete' | 'stopped';
  /** Cases of the drawn order that the decisions rest on: the furthest of the pairs. */
  readonly position: number;
  /** All cases of the race. */
  readonly cases: number;
  /** The alpha of each pair. */
  readonly share: number;
  readonly pairs: readonly PairDecision[];
  readonly lanes: readonly LaneDecision[];
  /** For the goals `ranking` and `best`, once the race has ended: the lanes that no lane is better than. */
  readonly best: readonly string[] | null;
}
