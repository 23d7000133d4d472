import { type CsvCell, csvRow } from '@agentclash/api/csv';
import type { Output } from './output.js';
import { type Column, layout, table } from './table.js';

export interface Listing<Row> {
  columns: readonly Column<NoInfer<Row>>[];
  /** The result for programs; default: the rows as `items`. */
  document?: unknown;
  /** Shown instead of a table without rows. */
  empty?: string;
  /** The text of people, where it is more than the table. */
  text?: (table: () => string) => string;
}

/** The command's one result, whose rows are a table: as text, as CSV or, whole, as JSON. */
export function printTable<Row>(
  out: Output,
  rows: readonly Row[],
  { columns, document = { items: rows }, empty, text = (rendered) => rendered() }: Listing<Row>,
): void {
  const rendered = () => table(rows, columns, { ...layout(out), ...(empty !== undefined && { empty }) });
  out.result(
    document,
    () => text(rendered),
    () => csvTable(rows, columns),
  );
}

/** A header and the rows, with all columns and no value cut. */
export function csvTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const named = columns.filter((column) => keyOf(column) !== '');
  const lines = rows.map((row) => csvRow(named.map((column) => cellOf(column, row))));
  return [csvRow(named.map(keyOf)), ...lines].join('');
}

function cellOf<Row>({ data, value }: Column<Row>, row: Row): CsvCell {
  if (data !== undefined) return data(row) ?? null;
  const text = value(row);
  // The sign for no value.
  return text === '-' ? null : text;
}

function keyOf<Row>({ key, title }: Column<Row>): string {
  return key ?? title.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}
