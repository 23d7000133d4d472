import { studentQuantile } from '../statistics/distributions.js';
import { boundedMeanInterval, estimateMean, TAIL } from '../statistics/sample.js';
import { isSame } from '../tolerance.js';

/** Below this the differences do not vary: rounding, not spread. */
export const SD_MIN = 1e-12;

export const SIGNIFICANCE = 0.05;

interface IntervalOptions {
  /** The p value at the same level, which decides the side of 0. */
  readonly p: number;
  /** The number of tests that the level is shared by. */
  readonly tests?: number;
}

/**
 * The two-sided interval of the mean difference of scores within −1..1, at the level 1 − 0.05/`tests`. Where every
 * difference is −1, 0 or 1, or all are equal, it is {@link boundedMeanInterval}; else Student's t.
 *
 * It agrees with the test: it ends at 0, which is then no part of it, where p is significant and it would reach beyond;
 * and it is extended to 0 where p is not. Guilbaud, "Simultaneous confidence regions corresponding to Holm's step-down
 * procedure" (2008), has such ends. null for fewer than two differences.
 */
export function differenceInterval(
  differences: readonly number[],
  { p, tests = 1 }: IntervalOptions,
): [number, number] | null {
  const { n, mean, sd, se } = estimateMean(differences);
  if (mean === null || sd === null || se === null) return null;
  const tail = TAIL / Math.max(1, tests);
  const [low, high] =
    sd < SD_MIN || differences.every(isWhole)
      ? wholeInterval(differences, tail)
      : tInterval({ n, mean, se }, tail);
  if (p >= SIGNIFICANCE || mean === 0) return [Math.min(0, low), Math.max(0, high)];
  return mean > 0 ? [Math.max(0, low), high] : [low, Math.min(0, high)];
}

/** A case lost or gained as a whole, or unchanged. */
export function isWhole(difference: number): boolean {
  return isSame(difference, 0) || isSame(Math.abs(difference), 1);
}

function wholeInterval(differences: readonly number[], tail: number): [number, number] {
  const [low, high] = boundedMeanInterval(differences.map(asScore), tail) ?? [0, 1];
  return [asDifference(low), asDifference(high)];
}

function tInterval({ n, mean, se }: { n: number; mean: number; se: number }, tail: number): [number, number] {
  const reach = studentQuantile(1 - tail, n - 1) * se;
  return [Math.max(-1, mean - reach), Math.min(1, mean + reach)];
}

export function asScore(difference: number): number {
  return (difference + 1) / 2;
}

export function asDifference(score: number): number {
  return 2 * score - 1;
}
