import { holmAdjust } from '../statistics/holm.js';
import { verdictOf } from './paired-test.js';
import type { Comparison, MeasureComparison } from './types.js';

/** Adjusts every p value of a request for the number of tests made, and lets the adjusted ones decide. */
export function adjustComparisons(comparisons: readonly Comparison[]): Comparison[] {
  const tests = comparisons.flatMap(testsOf).flatMap(({ p }) => p ?? []);
  const adjusted = holmAdjust(tests).values();
  const adjust = (measure: MeasureComparison): MeasureComparison => {
    if (measure.p === null) return measure;
    const p = adjusted.next().value ?? measure.p;
    return { ...measure, p_adjusted: p, verdict: verdictOf(p, measure.mean_difference) };
  };
  // Members are visited in the order of `testsOf`, so that each takes its own p value.
  return comparisons.map((comparison) => ({
    ...comparison,
    overall: adjust(comparison.overall),
    pass: adjust(comparison.pass),
    dimensions: Object.fromEntries(
      Object.entries(comparison.dimensions).map(([key, measure]) => [key, adjust(measure)]),
    ),
  }));
}

function testsOf({ overall, pass, dimensions }: Comparison): MeasureComparison[] {
  return [overall, pass, ...Object.values(dimensions)];
}
