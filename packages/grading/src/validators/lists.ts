import {
  type CsvRow,
  compareCodePoints,
  foldCase,
  ITEMS_MAX,
  readCsv,
  readListItems,
  trim,
  type ValidatorConfigs,
} from '@agentclash/challengepack';
import { commonSubsequenceLength } from '../algorithms/sequences.js';
import { Alphabet } from '../algorithms/symbols.js';
import { fail, graded, TOO_LARGE } from './judgement.js';
import { textValidator } from './text-target.js';

const listMatch = textValidator<'list_match'>((actual, { expected, config }) => {
  const items = readListItems(actual, config.separator);
  if (items.length > ITEMS_MAX) return TOO_LARGE;
  const seen = (list: readonly string[]) => (config.case_insensitive ? list.map(foldCase) : list);
  const score =
    config.mode === 'set' ? setScore(seen(items), seen(expected)) : orderedScore(seen(items), seen(expected));
  return graded(score, config.threshold);
});

function setScore(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [new Set(a), new Set(b)];
  const common = [...left].filter((item) => right.has(item)).length;
  return f1(common, left.size + right.size);
}

function orderedScore(a: readonly string[], b: readonly string[]): number {
  const alphabet = new Alphabet();
  const [left, right] = [alphabet.encode(a), alphabet.encode(b)];
  return f1(commonSubsequenceLength(left, right, alphabet.size), a.length + b.length);
}

function f1(common: number, sizes: number): number {
  return sizes === 0 ? 1 : (2 * common) / sizes;
}

type CsvConfig = ValidatorConfigs['csv_match'];

/** A table with its header apart; a ragged row is null. */
interface Table {
  readonly header: CsvRow | null;
  readonly rows: readonly (CsvRow | null)[];
}

const csvMatch = textValidator<'csv_match'>((actual, { expected, config }) => {
  const rows = readCsv(actual, config.delimiter);
  if (rows === null || (config.header && rows.length === 0)) return fail('unparsable_output');
  if (rows.length > ITEMS_MAX + (config.header ? 1 : 0)) return TOO_LARGE;
  const [wanted, given] = [tableOf(expected, config), tableOf(rows, config)];
  const columns = columnOrder(given.header ?? [], wanted.header ?? [], config);
  if (columns === null) return fail('header_mismatch');
  const arranged = config.header
    ? given.rows.map((row) => row && columns.map((at) => row[at] ?? ''))
    : given.rows;
  return graded(share(arranged, wanted.rows, config), config.threshold);
});

function tableOf(records: readonly CsvRow[], { header, trim_cells }: CsvConfig): Table {
  const cells = trim_cells ? records.map((row) => row.map(trim)) : records;
  const width = cells[0]?.length;
  const rows = (header ? cells.slice(1) : cells).map((row) => (row.length === width ? row : null));
  return { header: header ? (cells[0] ?? []) : null, rows };
}

/** For each wanted column its place among the given ones; null when the columns differ. */
function columnOrder(given: CsvRow, wanted: CsvRow, { ignore_column_order }: CsvConfig): number[] | null {
  if (given.length !== wanted.length) return null;
  if (!ignore_column_order) return wanted.every((name, at) => name === given[at]) ? [...wanted.keys()] : null;
  const [from, to] = [sortedPositions(given), sortedPositions(wanted)];
  const order = new Array<number>(wanted.length).fill(0);
  for (const [rank, position] of to.entries()) {
    const source = from[rank] ?? 0;
    if (given[source] !== wanted[position]) return null;
    order[position] = source;
  }
  return order;
}

/** The places of the columns in the order of their names, equal names by place. */
function sortedPositions(names: CsvRow): number[] {
  return [...names.keys()].sort((a, b) => compareCodePoints(names[a] ?? '', names[b] ?? '') || a - b);
}

/** The share of rows that are equal, of the longer table's. */
function share(a: Table['rows'], b: Table['rows'], { ignore_row_order }: CsvConfig): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  const [left, right] = [a.map(rowKey), b.map(rowKey)];
  return (ignore_row_order ? commonRows(left, right) : rowsAtSamePosition(left, right)) / longer;
}

function rowKey(row: CsvRow | null): string | null {
  return row && JSON.stringify(row);
}

function rowsAtSamePosition(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  return a.filter((row, at) => row !== null && row === b[at]).length;
}

function commonRows(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  const unused = new Map<string, number>();
  for (const row of b) if (row !== null) unused.set(row, (unused.get(row) ?? 0) + 1);
  let common = 0;
  for (const row of a) {
    const count = row === null ? 0 : (unused.get(row) ?? 0);
    if (row === null || count === 0) continue;
    common += 1;
    unused.set(row, count - 1);
  }
  return common;
}

export const LISTS = {
  list_match: listMatch,
  csv_match: csvMatch,
};
