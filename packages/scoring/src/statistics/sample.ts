import { studentQuantile } from './student-t.js';

/** A mean with its uncertainty. `ci` is the two-sided 95 % interval; null where the sample cannot give one. */
export interface Estimate {
  n: number;
  mean: number | null;
  sd: number | null;
  se: number | null;
  ci: [number, number] | null;
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
