import { estimate, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { type Column, table } from '../terminal/table.js';
import type { RankingRow } from './ranking-row.js';

/** The ranking as a table: intervals where there are any, a column for each dimension. */
export function rankingTable(rows: readonly RankingRow[], paint: Paint): string {
  const dimensions = [...new Set(rows.flatMap((row) => Object.keys(row.dimensions ?? {})))];
  const columns: Column<RankingRow>[] = [
    { title: '#', value: ({ rank }) => (rank === null ? '-' : String(rank)), align: 'right' },
    { title: 'AGENT', value: ({ name }) => name, style: paint.bold, charactersMax: 40 },
    { title: 'VERDICT', value: verdict, style: (text, row) => verdictColor(row.passed, paint)(text) },
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
      title: 'ATTEMPTS',
      value: ({ usable_attempts: usable, planned_attempts: planned }) => `${usable ?? '-'}/${planned ?? '-'}`,
      align: 'right',
    },
    { title: 'VALIDITY', value: ({ validity }) => validity },
    { title: 'RANKED BY', value: ({ reason }) => reason },
  ];
  return table(rows, columns, { heading: paint.dim, empty: 'There is no ranking yet.' });
}

function verdict({ passed, verdict_reason: reason }: RankingRow): string {
  return reason === undefined ? verdictWord(passed) : `${verdictWord(passed)} (${reason})`;
}

export function verdictWord(passed: boolean | null): string {
  if (passed === null) return 'no verdict';
  return passed ? 'passed' : 'failed';
}

export function verdictColor(passed: boolean | null, paint: Paint): (text: string) => string {
  if (passed === null) return paint.yellow;
  return passed ? paint.green : paint.red;
}
