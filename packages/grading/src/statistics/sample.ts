import { betaQuantile, normalQuantile, studentQuantile } from './distributions.js';

/**
 * A mean with its uncertainty; null where the sample cannot give a figure. `ci` is the two-sided 95 % t interval, which
 * holds for values that are about normal.
 */
export interface Estimate {
  n: number;
  mean: number | null;
  sd: number | null;
  se: number | null;
  ci: [number, number] | null;
}

/**
 * The mean of scores within 0..1. Its `ci` is the interval under an earlier name, for programs, and null for a single
 * score.
 */
export interface ScoreEstimate extends Estimate {
  /** The two-sided 95 % interval that is shown: within 0..1, and valid however the scores are distributed. */
  interval: [number, number] | null;
  /** Of a race that stopped early: the interval is the confidence sequence of the mean of all `population` cases. */
  method?: 'confidence_sequence';
  population?: number;
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

/** {@link estimateMean} of scores within 0..1, with the interval that holds for them in place of the t interval. */
export function estimateScore(scores: readonly number[]): ScoreEstimate {
  const estimate = estimateMean(scores);
  const interval = boundedMeanInterval(scores);
  return { ...estimate, ci: estimate.ci && interval, interval };
}

/** The probability beyond either end of a two-sided 95 % interval. */
export const TAIL = 0.025;

/**
 * The two-sided interval, 95 % unless `tail` is given, of the mean of independent values within 0..1, whatever their distribution; null for none.
 * It never leaves 0..1 and has no zero width: what was not seen in n values may still be as frequent as about 3.7/n.
 * For values that are all 0 or 1 it is the Clopper-Pearson interval.
 */
export function boundedMeanInterval(values: readonly number[], tail = TAIL): [number, number] | null {
  if (values.length === 0) return null;
  return [boundedMeanLower(values, tail), boundedMeanUpper(values, tail)];
}

/**
 * A lower bound of the mean with confidence 1 − `tail`: the `tail` quantile of the values' randomly weighted mean after
 * one more value of 0 has joined them (weights from a flat Dirichlet distribution; Gaffke 2005, Learned-Miller and
 * Thomas 2020). That distribution is taken for the beta distribution on 0..max of the same mean and variance, which it
 * is exactly when the values are 0 or one other number. At least one value.
 */
export function boundedMeanLower(values: readonly number[], tail: number): number {
  const scores = values.map((value) => Math.min(1, Math.max(0, value)));
  const top = scores.reduce((highest, score) => Math.max(highest, score), 0);
  if (top === 0) return 0;
  const weights = scores.length + 1;
  let sum = 0;
  let squares = 0;
  for (const score of scores) {
    const share = score / top;
    sum += share;
    squares += share * share;
  }
  const mean = sum / weights;
  const variance = (squares / weights - mean * mean) / (weights + 1);
  const concentration = (mean * (1 - mean)) / variance - 1;
  return top * betaQuantile(tail, mean * concentration, (1 - mean) * concentration);
}

/** The upper bound with confidence 1 − `tail`. At least one value. */
export function boundedMeanUpper(values: readonly number[], tail: number): number {
  const mirrored = values.map((value) => 1 - value);
  return 1 - boundedMeanLower(mirrored, tail);
}

/** The Wilson 95 % interval of a share; null without trials. */
export function wilsonInterval(successes: number, trials: number): [number, number] | null {
  if (trials === 0) return null;
  const z = normalQuantile(0.975);
  const share = successes / trials;
  const spread = (z * z) / trials;
  const center = (share + spread / 2) / (1 + spread);
  const reach = (z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  // At 0 and 1 the bound is exact; the formula misses it by a rounding error.
  return [successes === 0 ? 0 : center - reach, successes === trials ? 1 : center + reach];
}

/** The chance that at least one of k trials drawn from the n passes; null when n < k. */
export function passAtK(successes: number, trials: number, k: number): number | null {
  const noneOf = drawAll(trials - successes, trials, k);
  return noneOf === null ? null : 1 - noneOf;
}

/** The chance that all of k trials drawn from the n pass; null when n < k. */
export function passHatK(successes: number, trials: number, k: number): number | null {
  return drawAll(successes, trials, k);
}

/** C(marked, k) / C(all, k), as a product so that nothing overflows. */
function drawAll(marked: number, all: number, k: number): number | null {
  if (all < k) return null;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= Math.max(0, marked - drawn) / (all - drawn);
  return chance;
}
