import { sum } from '../../statistics/sample.js';
import { isAtLeast } from '../../tolerance.js';
import type { Verdict } from '../types.js';

/** A dimension as a strategy sees it; a score of null is unavailable. */
export interface WeighedDimension {
  readonly score: number | null;
  readonly weight: number;
  readonly gate: boolean;
  readonly pass_threshold: number | null;
}

export interface StrategyInput {
  readonly dimensions: readonly WeighedDimension[];
  /** The scorecard's own bar. */
  readonly pass_threshold: number | undefined;
}

/** The verdict, and each dimension's part of `overall` (null where it does not enter the mean). */
export interface StrategyResult extends Verdict {
  readonly contributions: readonly (number | null)[];
}

/** Whether a dimension reaches its own threshold; null when it is unavailable. */
export function holds({ score, pass_threshold }: WeighedDimension): boolean | null {
  return score === null ? null : isAtLeast(score, pass_threshold ?? 0);
}

export function againstThreshold(overall: number, threshold: number): Pick<Verdict, 'passed' | 'reason'> {
  const passed = isAtLeast(overall, threshold);
  return { passed, reason: passed ? 'threshold_met' : 'below_threshold' };
}

/** The mean over the available dimensions among `entering`; plain when all their weights are 0. */
export function weightedMean(
  dimensions: readonly WeighedDimension[],
  entering: (dimension: WeighedDimension) => boolean,
): Pick<StrategyResult, 'overall' | 'contributions'> {
  const counted = dimensions.map((dimension) => (entering(dimension) ? dimension.score : null));
  const weightSum = sum(dimensions.map(({ weight }, index) => (counted[index] === null ? 0 : weight)));
  const isPlain = weightSum === 0;
  const total = isPlain ? counted.filter((score) => score !== null).length : weightSum;
  const parts = dimensions.map(({ weight }, index) => {
    const score = counted[index] ?? null;
    return score === null ? null : score * (isPlain ? 1 : weight);
  });
  return {
    overall: total === 0 ? null : sum(parts.map((part) => part ?? 0)) / total,
    contributions: parts.map((part) => (part === null ? null : part / total)),
  };
}
