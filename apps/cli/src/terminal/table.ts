import { oneLine } from './printable.js';
import { displayWidth, padEnd, padStart } from './width.js';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string;
  /** Figures stand right. */
  align?: 'left' | 'right';
  style?: (text: string, row: Row) => string;
  /** In characters; what is longer is cut. */
  charactersMax?: number;
}

export interface TableOptions {
  /** How the titles look. */
  heading?: (text: string) => string;
  /** Said instead of a table without rows. */
  empty?: string;
}

/** Rows under titles, columns two blanks apart. Values are made safe for a terminal. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { heading = (text) => text, empty = 'nothing' }: TableOptions = {},
): string {
  if (rows.length === 0) return empty;
  const laid = columns.map((column) => {
    const cells = rows.map((row) => oneLine(column.value(row), column.charactersMax));
    return { column, cells, width: Math.max(...[column.title, ...cells].map(displayWidth)) };
  });
  const head = laid.map(({ column, width }) => heading(pad(column.title, width, column.align)));
  const body = rows.map((row, index) =>
    laid.map(({ column, cells, width }) => {
      const cell = pad(cells[index] ?? '', width, column.align);
      return column.style === undefined ? cell : column.style(cell, row);
    }),
  );
  return [head, ...body].map((cells) => cells.join('  ').trimEnd()).join('\n');
}

/** Names and values below each other; what is undefined is left out. */
export function facts(
  entries: readonly (readonly [name: string, value: string | undefined])[],
  heading: (text: string) => string = (text) => text,
): string {
  const shown = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => displayWidth(name)));
  return shown.map(([name, value]) => `${heading(padEnd(name, width))}  ${oneLine(value ?? '')}`).join('\n');
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  return align === 'left' ? padEnd(text, width) : padStart(text, width);
}
