import type { MeasureComparison } from '@agentclash/api';
import type { Tone } from '../../design/badge.js';
import { formatScore } from '../../design/format.js';

export { casesMissing, measuresOf, type NamedMeasure, verdictText } from '@agentclash/api';

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

/** Such as `[−0.010, +0.110]`. */
export function intervalText(interval: readonly [number, number] | null): string {
  return interval === null ? '' : `[${interval.map(signed).join(', ')}]`;
}

export interface Difference {
  caseKey: string;
  baseline: number;
  candidate: number;
  difference: number;
}

export const VERDICT_TONES: Record<MeasureComparison['verdict'], Tone> = {
  better: 'good',
  worse: 'bad',
  inconclusive: 'neutral',
};

/** The cases of a measure by how they changed. */
export function countChanges(measure: MeasureComparison): {
  better: number;
  worse: number;
  unchanged: number;
} {
  const all = differences(measure);
  const better = all.filter(({ difference }) => difference > 0).length;
  const worse = all.filter(({ difference }) => difference < 0).length;
  return { better, worse, unchanged: all.length - better - worse };
}

/** Every case with its difference, the greatest loss first. */
export function differences({ pairs }: MeasureComparison): Difference[] {
  return pairs
    .map(({ case_key: caseKey, baseline, candidate }) => ({
      ...{ caseKey, baseline, candidate },
      difference: candidate - baseline,
    }))
    .sort((a, b) => a.difference - b.difference);
}
