import { boundedMeanInterval } from './bounded-mean.js';
import { studentQuantile } from './student-t.js';

/**
 * A mean with its uncertainty; null where the sample cannot give a figure. `ci` is the two-sided 95 % t interval, which
 * holds for values that are about normal: for scores see {@link ScoreEstimate}.
 */
export interface Estimate {
  n: number;
  mean: number | null;
  sd: number | null;
  se: number | null;
  ci: [number, number] | null;
}

/** The mean of scores within 0..1. */
export interface ScoreEstimate extends Estimate {
  /** The two-sided 95 % interval that is shown: within 0..1, and valid however the scores are distributed. */
  interval: [number, number] | null;
}

const NO_ESTIMATE: Estimate = { n: 0, mean: null, sd: null, se: null, ci: null };

/** The sum in the given order over the count; null for no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The middle value, or the mean of the two middle ones; null for no values. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  const lower = sorted[middle - 1];
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2;
}

/** Σ(x − x̄)², the common part of every variance. */
export function squaredDeviations(values: readonly number[], center: number): number {
  return sum(values.map((value) => (value - center) ** 2));
}

/** Mean, sample deviation, standard error and t interval of independent values. */
export function estimateMean(values: readonly number[]): Estimate {
  const n = values.length;
  const center = mean(values);
  if (center === null) return NO_ESTIMATE;
  if (n < 2) return { n, mean: center, sd: null, se: null, ci: null };
  const sd = Math.sqrt(squaredDeviations(values, center) / (n - 1));
  const se = sd / Math.sqrt(n);
  const reach = studentQuantile(0.975, n - 1) * se;
  return { n, mean: center, sd, se, ci: [center - reach, center + reach] };
}

/** {@link estimateMean} of scores within 0..1, with the interval that holds for them. */
export function estimateScore(scores: readonly number[]): ScoreEstimate {
  return { ...estimateMean(scores), interval: boundedMeanInterval(scores) };
}
