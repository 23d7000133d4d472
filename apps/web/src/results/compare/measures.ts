import type { LaneComparison, MeasureComparison } from '@agentclash/api';
import { formatScore } from '../../design/format.js';

export interface NamedMeasure {
  name: string;
  measure: MeasureComparison;
}

/** Overall, pass rate, then every dimension. */
export function measuresOf({ overall, pass, dimensions }: LaneComparison): NamedMeasure[] {
  const named = Object.entries(dimensions).map(([name, measure]) => ({ name, measure }));
  return [{ name: 'overall', measure: overall }, { name: 'pass rate', measure: pass }, ...named];
}

/** The text of a verdict: `no change` where the difference is shown to be smaller than the requested one. */
export function verdictText({ verdict, negligible, state }: MeasureComparison): string {
  if (state !== 'available') return state;
  return verdict === 'inconclusive' && negligible ? 'no change' : verdict;
}

/** The loss that an inconclusive comparison could detect; null for a conclusive one, or where it is unknown. */
export function detectableText({ verdict, state, detectable }: MeasureComparison): string | null {
  if (state !== 'available' || verdict !== 'inconclusive' || detectable === undefined) return null;
  if (detectable === null) return 'Too few cases to show any difference.';
  return `A loss of ${formatScore(detectable)} or more in overall would have been detected with 80 % power.`;
}

/** With its sign, such as `+0.050`. */
export function signed(value: number | null): string {
  if (value === null) return formatScore(null);
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

export interface Difference {
  caseKey: string;
  baseline: number;
  candidate: number;
  difference: number;
}

/** What differs case by case, the greatest loss first. */
export function differences({ pairs }: MeasureComparison): Difference[] {
  return pairs
    .map(({ case_key: caseKey, baseline, candidate }) => ({
      ...{ caseKey, baseline, candidate },
      difference: candidate - baseline,
    }))
    .sort((a, b) => a.difference - b.difference);
}

/** Number of further cases for a conclusive result; null where it is unknown or not needed. */
export function casesMissing({ verdict, negligible, cases_needed, n }: MeasureComparison): number | null {
  if (verdict !== 'inconclusive' || negligible || cases_needed === null) return null;
  return Math.max(0, cases_needed - n) || null;
}
