import { boundedMeanInterval, boundedMeanLower, boundedMeanUpper } from '../statistics/bounded-mean.js';
import { mean } from '../statistics/sample.js';
import { studentQuantile } from '../statistics/student-t.js';

/** Of a one-sided bound: its confidence is 95 %. */
const TAIL = 0.05;

interface IntervalOptions {
  /** Whether the differences are −1, 0 and 1 only, or all the same: what a t interval cannot describe. */
  readonly isExact: boolean;
  readonly ci: readonly [number, number] | null;
}

/** The 95 % interval of the mean of differences of scores, within −1..1. */
export function differenceInterval(
  differences: readonly number[],
  { isExact, ci }: IntervalOptions,
): [number, number] | null {
  if (!isExact) return ci && [Math.max(-1, ci[0]), Math.min(1, ci[1])];
  const interval = boundedMeanInterval(differences.map(asScore));
  return interval && [asDifference(interval[0]), asDifference(interval[1])];
}

/**
 * One-sided 95 % bounds of the mean difference, the wider of two on either side: Student's t, and the bound that holds
 * for every distribution. The latter keeps n equal differences from proving more than n cases can: a loss of one whole
 * case in n·margin ≤ 3 may not have been met yet. At least one difference.
 */
export function differenceBounds(differences: readonly number[], se: number): [number, number] {
  const center = mean(differences) ?? 0;
  const reach = studentQuantile(1 - TAIL, differences.length - 1) * se;
  const scores = differences.map(asScore);
  return [
    Math.max(-1, Math.min(center - reach, asDifference(boundedMeanLower(scores, TAIL)))),
    Math.min(1, Math.max(center + reach, asDifference(boundedMeanUpper(scores, TAIL)))),
  ];
}

function asScore(difference: number): number {
  return (difference + 1) / 2;
}

function asDifference(score: number): number {
  return 2 * score - 1;
}
