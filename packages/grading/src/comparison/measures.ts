import { meanRaw } from '../aggregate/cases.js';
import type { CaseSummary, RunAgentScorecard } from '../aggregate/types.js';
import type { RawValue } from '../scorecard/types.js';
import { mean } from '../statistics/sample.js';
import { isAllOrNothing, type Pair, pairedTest } from './paired-test.js';
import type { CasePair, MeasureComparison } from './types.js';

/** One case as both sides saw it. */
export interface CommonCase {
  readonly case_key: string;
  readonly baseline: CaseSummary;
  readonly candidate: CaseSummary;
}

/** How a measure reads a case: its value there, and the raw value behind it. */
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
