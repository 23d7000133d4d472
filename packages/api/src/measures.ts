import type { LaneComparison, MeasureComparison } from '@agentclash/contracts';

/** A measure of a comparison under the name that it is shown with. */
export interface NamedMeasure {
  name: string;
  measure: MeasureComparison;
}

/** Overall, pass rate, then every dimension. */
export function measuresOf({ overall, pass, dimensions }: LaneComparison): NamedMeasure[] {
  const named = Object.entries(dimensions).map(([name, measure]) => ({ name, measure }));
  return [{ name: 'overall', measure: overall }, { name: 'pass rate', measure: pass }, ...named];
}

/** In words: `no change` where the difference is shown to be smaller than the requested one. */
export function verdictText({ state, verdict, negligible }: MeasureComparison): string {
  if (state !== 'available') return state;
  return verdict === 'inconclusive' && negligible ? 'no change' : verdict;
}

/** How many more cases would make an inconclusive measure conclusive; null where that is unknown, or it is conclusive. */
export function casesMissing({ verdict, negligible, cases_needed, n }: MeasureComparison): number | null {
  if (verdict !== 'inconclusive' || negligible || cases_needed === null) return null;
  return Math.max(0, cases_needed - n) || null;
}
