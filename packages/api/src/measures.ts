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

/**
 * The interval that agrees with `p_adjusted` and the verdict. A comparison of an earlier release has it only where the
 * adjustment changed nothing.
 */
export function shownInterval({
  interval = null,
  interval_adjusted,
  p,
  p_adjusted,
}: Pick<MeasureComparison, 'interval' | 'interval_adjusted' | 'p' | 'p_adjusted'>):
  | readonly [number, number]
  | null {
  if (interval_adjusted !== undefined) return interval_adjusted;
  return p === p_adjusted ? interval : null;
}

/** True where the adjustment for several tests has changed a figure, so that both are worth showing. */
export function isAdjusted({ p, p_adjusted, interval, interval_adjusted }: MeasureComparison): boolean {
  const isWider = interval_adjusted != null && interval?.some((end, at) => end !== interval_adjusted[at]);
  return p !== p_adjusted || isWider === true;
}

/** `<0.001`, `0.042`: three decimals that stay on the side of 0.05 where the value is. */
export function roundedP(p: number): string {
  if (p < 0.001) return '<0.001';
  const text = p.toFixed(3);
  return p < 0.05 && text === '0.050' ? '<0.050' : text;
}
