import type { ComparisonVerdict } from '@agentclash/domain';
import { normalQuantile, studentQuantile, studentTwoSided } from '../statistics/distributions.js';
import { boundedMeanLower, boundedMeanUpper, estimateMean, mean, sum } from '../statistics/sample.js';
import { mcnemarP, SIGN_FLIP_CASES_MAX, signFlipP } from '../statistics/tests.js';
import { SCORE_SLACK } from '../tolerance.js';
import {
  asDifference,
  asScore,
  differenceInterval,
  isWhole,
  SD_MIN,
  SIGNIFICANCE,
} from './difference-interval.js';
import type { PairedTest } from './types.js';

export interface PairedOptions {
  /** True when every case is lost as a whole, gained as a whole or unchanged. */
  readonly binary: boolean;
  /** The difference that `cases_needed` is counted for, and that `negligible` ones are below. */
  readonly detect: number;
}

/** A baseline and a candidate value of the same case. */
export type Pair = readonly [baseline: number, candidate: number];

/**
 * True when the exact test of pass-or-fail trials applies: every difference is −1, 0 or 1. It depends on the
 * differences alone, so that measures with the same differences have the same p value.
 */
export function isAllOrNothing(pairs: readonly Pair[]): boolean {
  return pairs.every(([baseline, candidate]) => isWhole(candidate - baseline));
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
    interval: differenceInterval(differences, { p: decided.p }),
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

/** The cases that show a mean difference of `detect` at the two-sided level with 80 % power. */
export function casesNeeded(sd: number, detect: number, level = SIGNIFICANCE): number {
  const reach = sum([normalQuantile(1 - level / 2), normalQuantile(0.8)]);
  return Math.max(2, Math.ceil(((reach * sd) / detect) ** 2));
}

/** Of a one-sided bound: its confidence is 95 %. */
const TAIL = 0.05;

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
