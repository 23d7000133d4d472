import { holmAdjust } from '../statistics/holm.js';
import { isSame } from '../tolerance.js';
import { detectableLoss } from './detectable.js';
import { verdictOf } from './paired-test.js';
import type { CasePair, Comparison, MeasureComparison } from './types.js';

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
