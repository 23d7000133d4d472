import { meanRaw } from '../aggregate/cases.js';
import type { CaseSummary, RunAgentScorecard } from '../aggregate/types.js';
import type { RawValue } from '../scorecard/types.js';
import { mean } from '../statistics/sample.js';
import { holmAdjust } from '../statistics/tests.js';
import { isSame } from '../tolerance.js';
import { detectableLoss } from './detectable.js';
import { differenceInterval } from './difference-interval.js';
import { isAllOrNothing, type Pair, pairedTest, verdictOf } from './paired-test.js';
import type { CasePair, Comparison, MeasureComparison } from './types.js';

/** One case as both sides saw it. */
interface CommonCase {
  readonly case_key: string;
  readonly baseline: CaseSummary;
  readonly candidate: CaseSummary;
}

/** The values of a measure for a case: the compared one, and the raw value behind it. */
export interface Measure {
  readonly value: (summary: CaseSummary) => number | null;
  readonly raw?: (summary: CaseSummary) => RawValue | undefined;
}

export const OVERALL: Measure = { value: (summary) => summary.overall };

export const PASS: Measure = {
  value: (summary) => (summary.trials === 0 ? null : summary.successes / summary.trials),
};

export function dimensionMeasure(key: string): Measure {
  return { value: (summary) => summary.dimensions[key] ?? null, raw: (summary) => summary.raw[key] };
}

/** The cases that both scorecards have, in the baseline's order. */
export function commonCases(baseline: RunAgentScorecard, candidate: RunAgentScorecard): CommonCase[] {
  const candidates = new Map(candidate.cases.map((summary) => [summary.case_key, summary]));
  return baseline.cases.flatMap((summary) => {
    const other = candidates.get(summary.case_key);
    return other === undefined ? [] : [{ case_key: summary.case_key, baseline: summary, candidate: other }];
  });
}

/** Compares one measure over the cases where both sides have it. Not yet adjusted for other tests. */
export function compareMeasure(
  cases: readonly CommonCase[],
  measure: Measure,
  detect: number,
): MeasureComparison {
  const paired = cases.flatMap((common): (CasePair & { common: CommonCase })[] => {
    const baseline = measure.value(common.baseline);
    const candidate = measure.value(common.candidate);
    if (baseline === null || candidate === null) return [];
    return [{ case_key: common.case_key, baseline, candidate, common }];
  });
  const pairs = paired.map(({ baseline, candidate }): Pair => [baseline, candidate]);
  const test = pairedTest(pairs, { binary: isAllOrNothing(pairs), detect });
  const raw = measure.raw ?? (() => undefined);
  return {
    ...test,
    state: paired.length > 0 ? 'available' : 'unavailable',
    p_adjusted: test.p,
    interval_adjusted: test.interval,
    detectable: null,
    baseline: mean(paired.map((pair) => pair.baseline)),
    candidate: mean(paired.map((pair) => pair.candidate)),
    raw: {
      baseline: meanRaw(paired.flatMap(({ common }) => raw(common.baseline) ?? [])),
      candidate: meanRaw(paired.flatMap(({ common }) => raw(common.candidate) ?? [])),
    },
    pairs: paired.map(({ case_key, baseline, candidate }) => ({ case_key, baseline, candidate })),
  };
}

/**
 * Adjusts every p value of a request for the number of tests made, and lets the adjusted ones decide. Measures of the
 * same two run agents whose differences are equal case by case are one hypothesis: they count once, and share its p.
 */
export function adjustComparisons(comparisons: readonly Comparison[]): Comparison[] {
  const families = comparisons.map((comparison) => distinctTests(measuresOf(comparison)));
  const distinct = families.flat();
  const adjusted = holmAdjust(distinct.map(([first]) => first.p));
  const byMeasure = new Map<MeasureComparison, number>(
    distinct.flatMap((equal, index) => equal.map((measure) => [measure, adjusted[index] ?? measure.p])),
  );
  const tests = distinct.length;
  const adjust = (measure: MeasureComparison): MeasureComparison => {
    const p = byMeasure.get(measure);
    if (p === undefined) return measure;
    const { n, se, mean_difference } = measure;
    return {
      ...measure,
      p_adjusted: p,
      interval_adjusted: differenceInterval(differencesOf(measure), { p, tests }),
      detectable: detectableLoss({ n, se, tests }),
      verdict: verdictOf(p, mean_difference),
    };
  };
  return comparisons.map((comparison) => ({
    ...comparison,
    tests,
    overall: adjust(comparison.overall),
    pass: adjust(comparison.pass),
    dimensions: Object.fromEntries(
      Object.entries(comparison.dimensions).map(([key, measure]) => [key, adjust(measure)]),
    ),
  }));
}

/** Candidate − baseline of every paired case. */
export function differencesOf({ pairs }: Pick<MeasureComparison, 'pairs'>): number[] {
  return pairs.map(({ baseline, candidate }) => candidate - baseline);
}

type Tested = MeasureComparison & { readonly p: number };
/** Measures with equal differences: one test. */
type EqualTests = [Tested, ...Tested[]];

/** In the order in which each hypothesis comes first: overall, pass, then the dimensions as declared. */
function distinctTests(measures: readonly MeasureComparison[]): EqualTests[] {
  const distinct: EqualTests[] = [];
  for (const measure of measures) {
    if (!isTested(measure)) continue;
    const equal = distinct.find(([first]) => haveEqualDifferences(first.pairs, measure.pairs));
    if (equal === undefined) distinct.push([measure]);
    else equal.push(measure);
  }
  return distinct;
}

function isTested(measure: MeasureComparison): measure is Tested {
  return measure.p !== null;
}

/** Pairs are in the order of the common cases. */
function haveEqualDifferences(left: readonly CasePair[], right: readonly CasePair[]): boolean {
  return (
    left.length === right.length &&
    left.every((pair, index) => {
      const other = right[index];
      return (
        other !== undefined &&
        other.case_key === pair.case_key &&
        isSame(pair.candidate - pair.baseline, other.candidate - other.baseline)
      );
    })
  );
}

function measuresOf({ overall, pass, dimensions }: Comparison): MeasureComparison[] {
  return [overall, pass, ...Object.values(dimensions)];
}
