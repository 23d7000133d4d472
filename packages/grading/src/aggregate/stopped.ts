import { estimateLane } from '../sequential/lane-sequence.js';
import { estimateScore, type ScoreEstimate } from '../statistics/sample.js';
import type { CaseSummary } from './types.js';

/** Where a lane of a race ended. */
export interface StoppedLane {
  /** The keys of all cases of the race, as drawn. */
  readonly order: readonly string[];
  /** The cases of that order, from the first, that count for the lane. */
  readonly position: number;
}

/** The attempts that count: of a stopped lane those of the cases up to its position, for the others are the quick ones. */
export function countedAttempts<A extends { readonly case_key: string }>(
  attempts: readonly A[],
  stopped: StoppedLane | undefined,
): readonly A[] {
  if (stopped === undefined) return attempts;
  const counted = new Set(stopped.order.slice(0, stopped.position));
  return attempts.filter((attempt) => counted.has(attempt.case_key));
}

/** The mean of one value per case, with the interval that holds for a race of fixed length or for a stopped one. */
export function estimateCases(
  cases: readonly CaseSummary[],
  read: (summary: CaseSummary) => number | null,
  stopped: StoppedLane | undefined,
): ScoreEstimate {
  const estimate = estimateScore(cases.flatMap((summary) => read(summary) ?? []));
  if (stopped === undefined) return estimate;
  const values = new Map(cases.map((summary) => [summary.case_key, read(summary)]));
  const { interval: ends, population } = estimateLane(
    stopped.order.map((caseKey, at) => (at < stopped.position ? (values.get(caseKey) ?? null) : undefined)),
  );
  const interval: ScoreEstimate['interval'] = ends && [ends[0], ends[1]];
  return { ...estimate, ci: interval, interval, method: 'confidence_sequence', population };
}
