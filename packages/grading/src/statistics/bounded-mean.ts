import { betaQuantile } from './beta-quantile.js';

/** What either end of a two-sided 95 % interval leaves out. */
const TAIL = 0.025;

/**
 * The two-sided 95 % interval of the mean of independent values within 0..1, whatever their distribution; null for none.
 * It never leaves 0..1 and has no zero width: what was not seen in n values may still be as frequent as about 3.7/n.
 * For values that are all 0 or 1 it is the Clopper-Pearson interval.
 */
export function boundedMeanInterval(values: readonly number[]): [number, number] | null {
  if (values.length === 0) return null;
  return [boundedMeanLower(values, TAIL), boundedMeanUpper(values, TAIL)];
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
