import { mcnemarP } from '../statistics/mcnemar.js';
import { normalQuantile } from '../statistics/normal.js';
import { estimateMean, sum } from '../statistics/sample.js';
import { SIGN_FLIP_CASES_MAX, signFlipP } from '../statistics/sign-flip.js';
import { studentQuantile, studentTwoSided } from '../statistics/student-t.js';
import { isSame, SCORE_SLACK } from '../tolerance.js';
import { differenceBounds, differenceInterval } from './difference-interval.js';
import type { ComparisonVerdict, PairedTest } from './types.js';

/** Below this the differences do not vary: rounding, not spread. */
const SD_MIN = 1e-12;
export const SIGNIFICANCE = 0.05;

export interface PairedOptions {
  /** Whether every case is lost as a whole, gained as a whole or unchanged. */
  readonly binary: boolean;
  /** The difference that `cases_needed` is counted for, and that `negligible` ones are below. */
  readonly detect: number;
}

/** A baseline and a candidate value of the same case. */
export type Pair = readonly [baseline: number, candidate: number];

/**
 * Whether the exact test of pass-or-fail trials applies: every difference is −1, 0 or 1. It depends on the differences
 * alone, so that measures with the same differences have the same p value.
 */
export function isAllOrNothing(pairs: readonly Pair[]): boolean {
  return pairs.every(([baseline, candidate]) => {
    const size = Math.abs(candidate - baseline);
    return isSame(size, 0) || isSame(size, 1);
  });
}

/** Tests the paired differences candidate − baseline. The verdict is the unadjusted one. */
export function pairedTest(pairs: readonly Pair[], { binary, detect }: PairedOptions): PairedTest {
  const differences = pairs.map(([baseline, candidate]) => candidate - baseline);
  const { n, mean, sd, se, ci } = estimateMean(differences);
  if (mean === null || sd === null || se === null) {
    return { ...UNTESTED, n, mean_difference: mean };
  }
  const df = n - 1;
  const decided = binary ? mcnemar(pairs) : pairedT({ differences, mean, sd, se });
  const bounds = differenceBounds(differences, se);
  return {
    n,
    mean_difference: mean,
    sd,
    se,
    ci,
    interval: differenceInterval(differences, { isExact: binary || sd < SD_MIN, ci }),
    bounds,
    negligible: bounds[0] > -detect && bounds[1] < detect,
    df,
    ...decided,
    mde: (studentQuantile(0.975, df) + studentQuantile(0.8, df)) * se,
    cases_needed: casesNeeded(sd, detect),
    verdict: verdictOf(decided.p, mean),
  };
}

const UNTESTED: PairedTest = {
  n: 0,
  mean_difference: null,
  sd: null,
  se: null,
  ci: null,
  interval: null,
  bounds: null,
  negligible: false,
  t: null,
  df: null,
  p: null,
  method: null,
  permutation_p: null,
  mde: null,
  cases_needed: null,
  verdict: 'inconclusive',
};

/** `better` or `worse`, by the sign of the difference, when p is significant. */
export function verdictOf(p: number | null, meanDifference: number | null): ComparisonVerdict {
  if (p === null || meanDifference === null || p >= SIGNIFICANCE || meanDifference === 0)
    return 'inconclusive';
  return meanDifference > 0 ? 'better' : 'worse';
}

type Decision = Pick<PairedTest, 'method' | 't' | 'permutation_p' | 'b' | 'c'> & { p: number };

function mcnemar(pairs: readonly Pair[]): Decision {
  const b = pairs.filter(([baseline, candidate]) => baseline - candidate > SCORE_SLACK).length;
  const c = pairs.filter(([baseline, candidate]) => candidate - baseline > SCORE_SLACK).length;
  return { method: 'mcnemar_exact', t: null, permutation_p: null, b, c, p: mcnemarP(b, c) };
}

interface Spread {
  readonly differences: readonly number[];
  readonly mean: number;
  readonly sd: number;
  readonly se: number;
}

function pairedT({ differences, mean, sd, se }: Spread): Decision {
  const n = differences.length;
  if (sd < SD_MIN) {
    // A constant shift is as unlikely as all signs falling the same way.
    const p = Math.abs(mean) < SD_MIN ? 1 : 2 ** (1 - n);
    return { method: 'paired_t', t: null, permutation_p: null, p };
  }
  const t = mean / se;
  const p = studentTwoSided(t, n - 1);
  // With few cases the t test may trust normality too much: the more cautious of the two decides.
  const permutation = n <= SIGN_FLIP_CASES_MAX ? signFlipP(differences) : null;
  return { method: 'paired_t', t, permutation_p: permutation, p: Math.max(p, permutation ?? 0) };
}

function casesNeeded(sd: number, detect: number): number {
  const reach = sum([normalQuantile(0.975), normalQuantile(0.8)]);
  return Math.max(2, Math.ceil(((reach * sd) / detect) ** 2));
}
