import { oneLine } from './printable.js';
import { displayWidth, fit, padEnd, padStart } from './width.js';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string;
  /** Figures stand right. */
  align?: 'left' | 'right';
  style?: (text: string, row: Row) => string;
  /** Where the table is wider than the terminal, the column is cut down to as few columns of the terminal as this. */
  cutTo?: number;
}

export interface TableOptions {
  /** How the titles look. */
  heading?: (text: string) => string;
  /** Shown instead of a table without rows. */
  empty?: string;
  /** Columns of the terminal; without one, as in a pipe, nothing is cut. */
  width?: number | undefined;
}

const GAP = '  ';

/** Rows under titles, columns two blanks apart. Values are made safe for a terminal. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { heading = (text) => text, empty = 'nothing', width }: TableOptions = {},
): string {
  if (rows.length === 0) return empty;
  const whole = columns.map((column) => {
    const cells = rows.map((row) => oneLine(column.value(row)));
    return { column, cells, width: widest([column.title, ...cells]) };
  });
  const widths = fittedWidths(whole, width ?? Number.POSITIVE_INFINITY);
  const laid = whole.map(({ column, cells }, index) => ({ column, cells, width: widths[index] ?? 0 }));
  const head = laid.map(({ column, width }) => heading(pad(column.title, width, column.align)));
  const body = rows.map((row, index) =>
    laid.map(({ column, cells, width }) => {
      const cell = pad(fit(cells[index] ?? '', width), width, column.align);
      return column.style === undefined ? cell : column.style(cell, row);
    }),
  );
  return [head, ...body].map((cells) => cells.join(GAP).trimEnd()).join('\n');
}

/** Without `Math.max(...)`: a call takes fewer arguments than a table may have rows. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

/** The columns' widths, the ones that may be cut made narrower until the table fits: first those that have most to give. */
function fittedWidths(
  columns: readonly { column: { title: string; cutTo?: number }; width: number }[],
  available: number,
): number[] {
  const widths = columns.map(({ width }) => width);
  const leastOf = columns.map(({ column: { title, cutTo }, width }) =>
    cutTo === undefined ? width : Math.min(width, Math.max(cutTo, displayWidth(title))),
  );
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - available;
  const bySpareWidth = [...widths.keys()].sort((a, b) => spare(b) - spare(a));
  for (const index of bySpareWidth) {
    const given = Math.min(Math.max(0, excess), spare(index));
    widths[index] = (widths[index] ?? 0) - given;
    excess -= given;
  }
  return widths;

  function spare(index: number): number {
    return (widths[index] ?? 0) - (leastOf[index] ?? 0);
  }
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
