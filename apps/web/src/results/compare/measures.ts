import type { LaneComparison, MeasureComparison } from '@agentclash/api';
import { formatScore } from '../../design/format.js';

export interface NamedMeasure {
  name: string;
  measure: MeasureComparison;
}

/** Overall, passing, then every dimension. */
export function measuresOf({ overall, pass, dimensions }: LaneComparison): NamedMeasure[] {
  const named = Object.entries(dimensions).map(([name, measure]) => ({ name, measure }));
  return [{ name: 'overall', measure: overall }, { name: 'passing', measure: pass }, ...named];
}

/** In words: `no change` where the difference is shown to be smaller than the one that was asked for. */
export function verdictText({ verdict, negligible, state }: MeasureComparison): string {
  if (state !== 'available') return state;
  return verdict === 'inconclusive' && negligible ? 'no change' : verdict;
}

/** What a comparison that found nothing could have found; null where it found something, or nothing is known. */
export function detectableText({ verdict, state, detectable }: MeasureComparison): string | null {
  if (state !== 'available' || verdict !== 'inconclusive' || detectable === undefined) return null;
  if (detectable === null) return 'So few cases could not show any difference.';
  return `A loss of ${formatScore(detectable)} or more in overall would have been seen with 80 % power.`;
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

/** How many more cases would settle what is open; null where that is not known, or nothing is open. */
export function casesMissing({ verdict, negligible, cases_needed, n }: MeasureComparison): number | null {
  if (verdict !== 'inconclusive' || negligible || cases_needed === null) return null;
  return Math.max(0, cases_needed - n) || null;
}
