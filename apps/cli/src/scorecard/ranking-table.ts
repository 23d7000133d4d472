import {
  costText,
  knownCost,
  missingShareInWords,
  rankingLines,
  type VariantComparison,
  verdictReasonInWords,
} from '@agentclash/api';
import type { RankingRow } from '../lookup/ranking.js';
import { count, dollars, duration, estimate, score } from '../terminal/figures.js';
import type { Look, Paint } from '../terminal/output.js';
import { csvTable } from '../terminal/print-table.js';
import { oneLine } from '../terminal/printable.js';
import { type Column, fittedTable, layout, omittedColumnLines } from '../terminal/table.js';
import { verdictColor, verdictWord } from './grading.js';
import type { Spendings } from './ranking-context.js';
import { variantLines } from './variant-lines.js';

export interface RankingOptions {
  /** Where there is a width, dimensions that do not fit are left out, the last ones first. */
  look: Look;
  /** Shown instead of a ranking without rows. */
  empty?: string;
  /** True when attempts were run again because of their result. */
  isSelective?: boolean | undefined;
  /** Where replies of models came from that were not called for. */
  served?: string | undefined;
  /** Which part of the input set the run is of. */
  subset?: string | undefined;
  /** The errors of the pack that keep attempts from being graded. */
  packErrors?: readonly string[] | undefined;
  /** Where attempts of a replay differ from the recorded ones. */
  differences?: readonly string[] | undefined;
  spendings?: Spendings;
  /** Shown first. */
  variants?: readonly VariantComparison[] | undefined;
  /** The verdicts of a race to a decision, shown last. */
  race?: readonly string[] | undefined;
  /** The certificate of the version, the last line. */
  audit?: string | undefined;
}

const SELECTIVE =
  'attempts were run again because of their result: do not compare these scores with other runs';

/** The ranking as a table: intervals where there are any, as many dimensions as fit, and how to read it. */
export function rankingTable(
  rows: readonly RankingRow[],
  {
    look,
    empty = 'There is no ranking yet.',
    isSelective = false,
    served,
    subset,
    packErrors = [],
    differences = [],
    spendings = new Map(),
    variants = [],
    race = [],
    audit,
  }: RankingOptions,
): string {
  const errors = [
    ...packErrors.map((line) => look.paint.red(oneLine(`pack error: ${line}`))),
    ...differences.map((line) => look.paint.yellow(oneLine(line))),
  ];
  const { paint } = look;
  const end = [
    ...(race.length === 0 ? [] : ['', ...race]),
    ...(audit === undefined ? [] : [paint.dim(oneLine(audit))]),
  ];
  if (rows.length === 0) return [empty, ...errors, ...end].join('\n');
  const { text, leftOut } = fittedTable(rows, rankingColumns(rows, spendings, paint), layout(look));
  const notes = [
    ...(subset === undefined ? [] : [subset]),
    ...(isSelective ? [SELECTIVE] : []),
    ...(served === undefined ? [] : [served]),
    ...footnotes(rows, packErrors.length > 0),
    ...omittedColumnLines(leftOut, { remedy: layout(look).remedy }),
  ];
  const verdicts = variants.length === 0 ? [] : [...variantLines(variants, look), ''];
  return [...verdicts, text, ...errors, ...notes.map((line) => paint.dim(line)), ...end].join('\n');
}

/** The ranking, one line of CSV for each agent. */
export function rankingCsv(rows: readonly RankingRow[], spendings: Spendings, { paint }: Look): string {
  return csvTable(rows, rankingColumns(rows, spendings, paint));
}

function rankingColumns(
  rows: readonly RankingRow[],
  spendings: Spendings,
  paint: Paint,
): Column<RankingRow>[] {
  const dimensions = [...new Set(rows.flatMap((row) => Object.keys(row.dimensions ?? {})))];
  return [
    ...leading(paint),
    ...dimensions.map(dimensionColumn),
    ...spentColumns(rows, spendings),
    ...TRAILING,
  ];
}

function leading(paint: Paint): Column<RankingRow>[] {
  return [
    {
      title: '#',
      value: ({ rank }) => (rank === null ? '-' : String(rank)),
      key: 'rank',
      data: ({ rank }) => rank,
      align: 'right',
    },
    { title: 'AGENT', value: ({ name }) => name, style: paint.bold, cutTo: 20 },
    {
      title: 'VERDICT',
      value: ({ passed }) => verdictWord(passed),
      style: (text, row) => verdictColor(row.passed, paint)(text),
    },
    {
      title: 'OVERALL',
      value: (row) => estimate(row.overall, row.overall_estimate?.interval ?? null),
      data: ({ overall }) => overall,
    },
    ...intervalColumns('OVERALL', ({ overall_estimate: overall }) => overall?.interval),
    {
      title: 'PASS RATE',
      value: ({ pass_rate: rate }) => estimate(rate?.mean ?? null, rate?.interval ?? null),
      data: ({ pass_rate: rate }) => rate?.mean,
    },
    ...intervalColumns('PASS RATE', ({ pass_rate: rate }) => rate?.interval),
  ];
}

/** The ends of an interval, which a table shows beside the mean. */
function intervalColumns(
  title: string,
  of: (row: RankingRow) => readonly [number, number] | null | undefined,
): Column<RankingRow>[] {
  return (['LOW', 'HIGH'] as const).map((end, at) => ({
    title: `${title} ${end}`,
    value: (row) => score(of(row)?.[at]),
    data: (row) => of(row)?.[at],
    only: 'csv',
  }));
}

const TRAILING: readonly Column<RankingRow>[] = [
  {
    title: 'GRADED',
    value: ({ usable_attempts: usable, planned_attempts: planned }) => `${usable ?? '-'}/${planned ?? '-'}`,
    data: ({ usable_attempts: usable }) => usable,
    align: 'right',
  },
  {
    title: 'PLANNED',
    value: ({ planned_attempts: planned }) => String(planned ?? '-'),
    data: ({ planned_attempts: planned }) => planned,
    only: 'csv',
  },
  {
    title: 'FLAKE RATE',
    value: ({ flake_rate: rate }) => score(rate),
    data: ({ flake_rate: rate }) => rate,
    align: 'right',
    only: 'wide and csv',
  },
  { title: 'VALIDITY', value: ({ validity }) => validity, leaveOut: 2 },
];

function dimensionColumn(key: string): Column<RankingRow> {
  return {
    title: key.toUpperCase(),
    value: (row) => score(row.dimensions?.[key]?.mean),
    key,
    data: (row) => row.dimensions?.[key]?.mean,
    align: 'right',
    leaveOut: 1,
  };
}

/** Tokens, dollars and mean time, each where it is known of an agent. */
function spentColumns(rows: readonly RankingRow[], spendings: Spendings): Column<RankingRow>[] {
  const spentBy = ({ run_agent_id: id }: RankingRow) => spendings.get(id);
  const costOf = (row: RankingRow) => knownCost(spentBy(row));
  const timeOf = (row: RankingRow) => spentBy(row)?.latency_ms ?? measuredTime(row);
  const columns: (Column<RankingRow> & { isKnown: (row: RankingRow) => boolean })[] = [
    {
      title: 'TOKENS',
      value: (row) => count(spentBy(row)?.tokens ?? 0),
      data: (row) => spentBy(row)?.tokens,
      align: 'right',
      leaveOut: 3,
      isKnown: (row) => (spentBy(row)?.tokens ?? 0) > 0,
    },
    {
      title: 'COST',
      value: (row) => costText(costOf(row), dollars),
      key: 'cost_usd',
      data: (row) => spentBy(row)?.cost_usd,
      align: 'right',
      leaveOut: 3,
      // A column of unknown costs has something to show where models were called.
      isKnown: (row) =>
        costOf(row).costUsd > 0 || (!costOf(row).isCostKnown && (spentBy(row)?.tokens ?? 0) > 0),
    },
    {
      title: 'MEAN TIME',
      value: (row) => duration(timeOf(row)),
      key: 'mean_time_ms',
      data: timeOf,
      align: 'right',
      leaveOut: 3,
      isKnown: (row) => timeOf(row) !== undefined,
    },
    ...(['p50', 'p95'] as const).map((percentile) => ({
      title: percentile.toUpperCase(),
      value: (row: RankingRow) => duration(spentBy(row)?.latency?.[`${percentile}_ms`]),
      key: `${percentile}_ms`,
      data: (row: RankingRow) => spentBy(row)?.latency?.[`${percentile}_ms`],
      align: 'right' as const,
      only: 'wide and csv' as const,
      isKnown: (row: RankingRow) => spentBy(row)?.latency !== undefined,
    })),
  ];
  return columns.filter(({ isKnown }) => rows.some(isKnown));
}

/** As measured for a dimension. */
function measuredTime({ dimensions = {} }: RankingRow): number | undefined {
  return Object.values(dimensions).find(({ raw }) => raw?.unit === 'ms')?.raw?.value;
}

function footnotes(rows: readonly RankingRow[], hasPackErrors: boolean): string[] {
  const shortfalls = rows.flatMap((row) =>
    shortfallsOf(row, hasPackErrors).map((line) => `${oneLine(row.name)}: ${line}`),
  );
  return [
    ...shortfalls,
    ...rankingLines(rows).map((line) => oneLine(line)),
    ...new Set(rows.flatMap(intervalLines)),
  ];
}

/** The kind of the intervals of a row; none without one. */
function intervalLines({ overall_estimate: overall, pass_rate: rate }: RankingRow): string[] {
  const estimate = [overall, rate].find((each) => each?.interval);
  if (estimate === undefined) return [];
  if (estimate.method !== 'confidence_sequence') return ['[…] 95 % interval'];
  const cases = estimate.population === undefined ? 'all cases' : `all ${estimate.population} cases`;
  return [`[…] 95 % confidence sequence of the mean over ${cases}: it holds for a race that stopped early`];
}

/** The reasons why it did not pass, and why it ranks below others whatever its scores. */
function shortfallsOf(row: RankingRow, hasPackErrors: boolean): string[] {
  const { passed, verdict_reason: reason } = row;
  const missing = missingShareInWords(row, { hasPackErrors });
  const isCovered = passed === true || reason === undefined || reason === 'missing_share';
  const verdict = isCovered ? undefined : verdictReasonInWords(row);
  return [...(verdict === undefined ? [] : [oneLine(verdict)]), ...(missing === undefined ? [] : [missing])];
}
