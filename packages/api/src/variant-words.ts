import type { VariantComparison } from '@agentclash/contracts';
import type { VariantVerdict } from '@agentclash/domain';
import { roundedP, shownInterval } from './measures.js';

const WORDS: Record<VariantVerdict, string> = {
  helps: 'helps',
  harms: 'harms',
  no_difference_shown: 'no difference shown',
};

export function variantVerdictInWords(verdict: VariantVerdict): string {
  return WORDS[verdict];
}

/** Its verdict, and what more it needs: `no difference shown (needs 274 more cases to show 5.0 points)`. */
export function variantVerdictText({
  verdict,
  more_cases: more,
  negligible,
  detect,
}: VariantComparison): string {
  const words = WORDS[verdict];
  if (verdict !== 'no_difference_shown') return words;
  if (negligible) return `${words} (${points(detect)} points or more are excluded)`;
  return more === null
    ? words
    : `${words} (needs ${more} more ${more === 1 ? 'case' : 'cases'} to show ${points(detect)} points)`;
}

/** The figures behind a verdict: `+20.0 points in pass rate over bare, 95 % interval +9.1 to +30.9, 40 cases, p 0.001`. */
export function variantFigures(comparison: VariantComparison): string {
  const { baseline, measure, cases, difference, p_adjusted: p } = comparison;
  const interval = shownInterval(comparison);
  const of = measure === 'pass' ? 'pass rate' : 'overall score';
  const common = `${cases} common ${cases === 1 ? 'case' : 'cases'}`;
  if (difference === null) return `${common} with ${baseline}`;
  return [
    `${signedPoints(difference)} points in ${of} over ${baseline}`,
    ...(interval === null
      ? []
      : [`95 % interval ${signedPoints(interval[0])} to ${signedPoints(interval[1])}`]),
    common,
    ...(p === null ? [] : [`p ${roundedP(p).replace('<', '< ')}`]),
  ].join(', ');
}

/** A difference of rates as points, with its sign. */
export function signedPoints(difference: number): string {
  const text = points(Math.abs(difference));
  if (Number(text) === 0) return text;
  return `${difference < 0 ? '−' : '+'}${text}`;
}

function points(share: number): string {
  return (share * 100).toFixed(1);
}
