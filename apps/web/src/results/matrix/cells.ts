/** The results of one lane with one case, over its repetitions. */
import { listOf, numberOf, recordOf, textOf } from '@agentclash/domain';
import type { FileRecord } from '../../design/table-file.js';

export interface Cell {
  overall: number | null;
  trials: number;
  successes: number;
}

export interface CaseRow {
  caseKey: string;
  /** In the order of the lanes; null where a lane has nothing for the case. */
  cells: readonly (Cell | null)[];
}

export const ORDERS = ['case', 'hardest', 'most different', 'flaky'] as const;
export type Order = (typeof ORDERS)[number];

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Keys with numbers in the order of these: `c2` before `c10`. */
export function byKey(left: string, right: string): number {
  return COLLATOR.compare(left, right);
}

/** The rows of a matrix from the scorecards of the lanes, which have every case. */
export function caseRows(scorecards: readonly unknown[]): CaseRow[] {
  const byLane = scorecards.map((scorecard) => {
    const cases = listOf(recordOf(scorecard).cases).map(recordOf);
    return new Map(cases.map((each) => [textOf(each.case_key), cellOf(each)]));
  });
  const keys = new Set(byLane.flatMap((cells) => [...cells.keys()]));
  return [...keys]
    .sort(byKey)
    .map((caseKey) => ({ caseKey, cells: byLane.map((cells) => cells.get(caseKey) ?? null) }));
}

function cellOf({ overall, trials, successes }: Readonly<Record<string, unknown>>): Cell {
  return { overall: numberOf(overall), trials: numberOf(trials) ?? 0, successes: numberOf(successes) ?? 0 };
}

/** Records of a file: one for each case and agent that has a result for it. */
export function cellRecords(
  rows: readonly CaseRow[],
  agents: readonly { id: string; name: string }[],
): FileRecord[] {
  return rows.flatMap(({ caseKey, cells }) =>
    agents.flatMap(({ id, name }, lane) => {
      const cell = cells[lane];
      if (!cell) return [];
      const { overall, trials, successes } = cell;
      return [
        {
          ...{ case_key: caseKey, agent: name, run_agent_id: id },
          ...{ score: overall, passed: successes, attempts: trials },
        },
      ];
    }),
  );
}

/** Its trials disagree. */
export function isFlaky({ trials, successes }: Cell): boolean {
  return successes > 0 && successes < trials;
}

const FIGURES: Record<Exclude<Order, 'case'>, (row: CaseRow) => number> = {
  hardest: (row) => meanOf(row),
  'most different': ({ cells }) => {
    const known = cells.flatMap((cell) => cell?.overall ?? []);
    return known.length === 0 ? 0 : Math.min(...known) - Math.max(...known);
  },
  flaky: ({ cells }) => -cells.filter((cell) => cell !== null && isFlaky(cell)).length,
};

export function ordered(rows: readonly CaseRow[], order: Order): CaseRow[] {
  if (order === 'case') return [...rows];
  const figure = FIGURES[order];
  return rows
    .map((row) => ({ row, figure: figure(row) }))
    .sort((a, b) => a.figure - b.figure)
    .map(({ row }) => row);
}

function meanOf({ cells }: CaseRow): number {
  const known = cells.flatMap((cell) => cell?.overall ?? []);
  return known.length === 0 ? 1 : known.reduce((sum, overall) => sum + overall, 0) / known.length;
}
