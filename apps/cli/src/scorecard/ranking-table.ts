import { missingShareInWords } from '@agentclash/api';
import { estimate, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { type Column, table } from '../terminal/table.js';
import { displayWidth } from '../terminal/width.js';
import { verdictColor, verdictWord } from './grading.js';
import type { RankingRow } from './ranking-row.js';

export interface RankingOptions {
  paint: Paint;
  /** Said instead of a ranking without rows. */
  empty?: string;
  /** Whether attempts were run again because of their result. */
  isSelective?: boolean | undefined;
  /** What the table is kept within by leaving dimensions out, the last ones first. */
  columnsMax?: number;
}

const COLUMNS_MAX = 100;
const SELECTIVE =
  'attempts were run again because of their result: do not compare these scores with other runs';

/** What the ranking decided by, in words; what a newer server says otherwise is shown as it is. */
const RANKED_BY: Partial<Record<string, string>> = {
  passed: 'verdict',
  missing_share: 'missing attempts',
  overall: 'overall score',
  tie: 'nothing, for it is a tie',
};

/** The ranking as a table: intervals where there are any, as many dimensions as fit, and how to read it. */
export function rankingTable(
  rows: readonly RankingRow[],
  {
    paint,
    empty = 'There is no ranking yet.',
    isSelective = false,
    columnsMax = COLUMNS_MAX,
  }: RankingOptions,
): string {
  if (rows.length === 0) return empty;
  const dimensions = [...new Set(rows.flatMap((row) => Object.keys(row.dimensions ?? {})))];
  let shown = dimensions.length;
  let text = tableWith(rows, dimensions, paint);
  while (shown > 0 && widthOf(text) > columnsMax) {
    shown -= 1;
    text = tableWith(rows, dimensions.slice(0, shown), paint);
  }
  const notes = [...(isSelective ? [SELECTIVE] : []), ...footnotes(rows, dimensions.slice(shown))];
  return [text, ...notes.map((line) => paint.dim(line))].join('\n');
}

function tableWith(rows: readonly RankingRow[], dimensions: readonly string[], paint: Paint): string {
  const columns: Column<RankingRow>[] = [
    { title: '#', value: ({ rank }) => (rank === null ? '-' : String(rank)), align: 'right' },
    { title: 'AGENT', value: ({ name }) => name, style: paint.bold, charactersMax: 20 },
    {
      title: 'VERDICT',
      value: ({ passed }) => verdictWord(passed),
      style: (text, row) => verdictColor(row.passed, paint)(text),
    },
    {
      title: 'OVERALL',
      value: (row) => estimate(row.overall, row.overall_estimate?.ci ?? null),
    },
    {
      title: 'PASS RATE',
      value: ({ pass_rate: rate }) => estimate(rate?.mean ?? null, rate?.ci ?? null),
    },
    ...dimensions.map((key) => ({
      title: key.toUpperCase(),
      value: (row: RankingRow) => score(row.dimensions?.[key]?.mean),
      align: 'right' as const,
    })),
    {
      title: 'GRADED',
      value: ({ usable_attempts: usable, planned_attempts: planned }) => `${usable ?? '-'}/${planned ?? '-'}`,
      align: 'right',
    },
    { title: 'VALIDITY', value: ({ validity }) => validity },
  ];
  return table(rows, columns, { heading: paint.dim });
}

function footnotes(rows: readonly RankingRow[], left: readonly string[]): string[] {
  const shortfalls = rows.flatMap((row) => shortfallsOf(row).map((line) => `${oneLine(row.name)}: ${line}`));
  const hasIntervals = rows.some((row) => row.overall_estimate?.ci ?? row.pass_rate?.ci);
  return [
    ...shortfalls,
    ...rankedBy(rows),
    ...(hasIntervals ? ['[…] 95 % interval, not clamped to 0-1'] : []),
    ...(left.length > 0 ? [`left out for width: ${left.join(', ')}; --json has them`] : []),
  ];
}

/** Why it did not pass, and why it ranks below others whatever its scores. */
function shortfallsOf({ passed, verdict_reason: reason, ...row }: RankingRow): string[] {
  const missing = missingShareInWords(row);
  const isSaid = passed === true || reason === undefined || reason === 'missing_share';
  return [...(isSaid ? [] : [words(reason)]), ...(missing === undefined ? [] : [missing])];
}

function rankedBy(rows: readonly RankingRow[]): string[] {
  const reasons = [...new Set(rows.map(({ reason }) => reason))].filter((reason) => reason !== 'only_agent');
  return reasons.length === 0
    ? []
    : [`ranked by ${reasons.map((reason) => RANKED_BY[reason] ?? words(reason)).join(', ')}`];
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}

function widthOf(text: string): number {
  return Math.max(...text.split('\n').map(displayWidth));
}
