import { SCORE_SLACK } from '../tolerance.js';
import { logGamma } from './distributions.js';
import { sum } from './sample.js';

/** Above this many differences the exact test is not worth its cost. */
export const SIGN_FLIP_CASES_MAX = 20;

/**
 * The exact two-sided sign-flip test: the share of sign choices whose |Σ| reaches the observed one. Zero
 * differences carry no sign and are dropped. At most {@link SIGN_FLIP_CASES_MAX} differences.
 */
export function signFlipP(differences: readonly number[]): number {
  const signed = differences.filter((difference) => difference !== 0);
  const reached = Math.abs(sum(signed)) - SCORE_SLACK;
  if (reached <= 0) return 1;
  // Two halves of at most 2¹⁰ sums each, instead of 2²⁰ sums.
  const half = Math.ceil(signed.length / 2);
  const left = signedSums(signed.slice(0, half));
  const right = signedSums(signed.slice(half));
  const above = countPairsAtLeast(left, right, reached);
  return Math.min(1, (2 * above) / (left.length * right.length));
}

/** Every ±a ±b …, ascending. */
function signedSums(values: readonly number[]): Float64Array {
  let sums = [0];
  for (const value of values) sums = sums.flatMap((partial) => [partial + value, partial - value]);
  return Float64Array.from(sums).sort();
}

/** The number of pairs of the two ascending lists whose sum is at least `bound`. */
function countPairsAtLeast(left: Float64Array, right: Float64Array, bound: number): number {
  let count = 0;
  let from = right.length;
  for (const value of left) {
    while (from > 0 && value + (right[from - 1] ?? 0) >= bound) from -= 1;
    count += right.length - from;
  }
  return count;
}

/** The exact McNemar test over discordant pairs: min(1, 2·P(X ≤ min(lost, gained))), X ~ Bin(lost + gained, ½). */
export function mcnemarP(lost: number, gained: number): number {
  const discordant = lost + gained;
  let tail = 0;
  for (let k = 0; k <= Math.min(lost, gained); k += 1) {
    tail += Math.exp(logChoose(discordant, k) - discordant * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

/** Holm's step-down adjustment: p values of one family, adjusted, in the order given. */
export function holmAdjust(values: readonly number[]): number[] {
  const adjusted = new Array<number>(values.length).fill(1);
  const ascending = values.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  let running = 0;
  ascending.forEach(({ p, index }, position) => {
    running = Math.max(running, Math.min(1, (values.length - position) * p));
    adjusted[index] = running;
  });
  return adjusted;
}
