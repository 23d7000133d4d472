import { type VariantComparison, variantFigures, variantVerdictText } from '@agentclash/api';
import type { VariantVerdict } from '@agentclash/domain';
import { plain } from '../reports/markdown.js';
import type { Look, Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';

const COLORS = { helps: 'green', harms: 'red', no_difference_shown: 'dim' } as const satisfies Record<
  VariantVerdict,
  keyof Paint
>;

/** For each variant its verdict against the baseline, with the figures behind it. */
export function variantLines(
  variants: readonly VariantComparison[],
  { paint }: Pick<Look, 'paint'>,
): string[] {
  return variants.map((each) => {
    const verdict = paint[COLORS[each.verdict]](variantVerdictText(each));
    return `${paint.bold(oneLine(laneOf(each)))}: ${verdict}  ${paint.dim(oneLine(variantFigures(each)))}`;
  });
}

/** The same as paragraphs of a report. */
export function variantMarkdown(variants: readonly VariantComparison[]): string[] {
  return variants.flatMap((each) => [
    `**${plain(laneOf(each))}: ${plain(variantVerdictText(each))}** ${plain(variantFigures(each))}`,
    '',
  ]);
}

function laneOf({ deployment, variant }: VariantComparison): string {
  return `${deployment} (${variant})`;
}
