import type { CsvCell } from '@agentclash/api/csv';
import { moment } from './figures.js';
import type { Look } from './output.js';
import { oneLine } from './printable.js';
import { displayWidth, fit, padEnd, padStart } from './width.js';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string;
  /** The name of the column in CSV; default: its title in lower case. A column without a name is a drawing of others. */
  key?: string;
  /** The value in CSV, as a number or a time for programs; default: the shown text. */
  data?: (row: Row) => CsvCell | undefined;
  /** Shown in these formats alone. */
  only?: 'csv' | 'wide and csv';
  /** Figures are aligned right. */
  align?: 'left' | 'right';
  style?: (text: string, row: Row) => string;
  /** Where the table is wider than the terminal, the column is cut down to as few columns of the terminal as this. */
  cutTo?: number;
  /** A cut value keeps its end, as an id does. */
  keepsEnd?: boolean;
  /** Where the table does not fit even so, the column is left out: the lowest number first, then the last column first. */
  leaveOut?: number;
}

export interface TableOptions {
  /** How the titles look. */
  heading?: (text: string) => string;
  /** Shown instead of a table without rows. */
  empty?: string;
  /** Columns of the terminal; without one, as in a pipe, nothing is cut. */
  width?: number | undefined;
  /** True for all columns at any width. */
  isWide?: boolean;
  /** The option that shows what did not fit. */
  remedy?: string;
}

/** The options of a table on the output of a command. */
export function layout({ paint, width, format }: Look): TableOptions {
  return {
    heading: paint.dim,
    width,
    isWide: format === 'wide',
    remedy: format === undefined ? '--json' : '-o wide',
  };
}

const GAP = '  ';

/** The last group of an id and the sign of what was cut: the end of an id identifies it in every command. */
const ID_END = 13;

/** A column of ids, cut to their ends where the table is wider than the terminal. */
export function idColumn<Row>(title: string, value: (row: Row) => string): Column<Row> {
  return { title, value, cutTo: ID_END, keepsEnd: true };
}

/** A column of times. */
export function timeColumn<Row>(
  title: string,
  at: (row: Row) => string | null | undefined,
  more: Pick<Column<Row>, 'leaveOut'> = {},
): Column<Row> {
  return { title, value: (row) => moment(at(row)), data: at, ...more };
}

/** Rows under titles, columns two blanks apart, and which columns did not fit. Values are made safe for a terminal. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  options: TableOptions = {},
): string {
  const { heading = (text) => text } = options;
  const { text, leftOut } = fittedTable(rows, columns, options);
  return [text, ...omittedColumnLines(leftOut, options).map(heading)].join('\n');
}

/** Names the columns that were left out; one without a title is a drawing of others. */
export function omittedColumnLines(
  titles: readonly string[],
  { width, remedy = '--json' }: Pick<TableOptions, 'width' | 'remedy'> = {},
): string[] {
  const named = titles.filter((title) => title !== '');
  if (named.length === 0) return [];
  return folded(`hidden columns: ${named.join(', ').toLowerCase()}; ${remedy} has them`, width);
}

/** The text in lines of at most so many columns, parted at blanks; a longer word is cut. */
function folded(text: string, width = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && displayWidth(longer) > width) lines.push(fit(word, width));
    else lines.splice(-1, 1, fit(longer, width));
  }
  return lines;
}

/** The same with the titles of what was left out apart. */
export function fittedTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { heading = (text) => text, empty = 'nothing', width, isWide = false }: TableOptions = {},
): { text: string; leftOut: string[] } {
  if (rows.length === 0) return { text: empty, leftOut: [] };
  const ofFormat = columns.filter(({ only }) => only === undefined || (isWide && only !== 'csv'));
  const measured = ofFormat.map((column) => {
    const cells = rows.map((row) => oneLine(column.value(row)));
    return { column, cells, width: widest([column.title, ...cells]) };
  });
  const available = width ?? Number.POSITIVE_INFINITY;
  const shown = shownColumns(measured, available);
  const widths = fittedWidths(shown, available);
  const laid = shown.map(({ column, cells }, index) => ({ column, cells, width: widths[index] ?? 0 }));
  const head = laid.map(({ column, width }) => heading(pad(column.title, width, column.align)));
  const body = rows.map((row, index) =>
    laid.map(({ column, cells, width }) => {
      const cell = pad(cut(cells[index] ?? '', width, column.keepsEnd), width, column.align);
      return column.style === undefined ? cell : column.style(cell, row);
    }),
  );
  return {
    text: [head, ...body].map((cells) => cells.join(GAP).trimEnd()).join('\n'),
    leftOut: measured.filter((each) => !shown.includes(each)).map(({ column }) => column.title),
  };
}

interface Measured<Row> {
  column: Column<Row>;
  cells: readonly string[];
  width: number;
}

/** The columns that fit when all of them are as narrow as they may be. */
function shownColumns<Row>(columns: readonly Measured<Row>[], available: number): Measured<Row>[] {
  const dispensable = columns
    .filter(({ column }) => column.leaveOut !== undefined)
    .reverse()
    .sort((a, b) => (a.column.leaveOut ?? 0) - (b.column.leaveOut ?? 0));
  let shown = [...columns];
  for (const next of dispensable) {
    if (total(shown.map(leastWidth)) <= available) break;
    shown = shown.filter((each) => each !== next);
  }
  return shown;
}

/** Without `Math.max(...)`: a call takes fewer arguments than a table may have rows. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

/** The columns' widths, the ones that may be cut made narrower until the table fits: first those that have most to give. */
function fittedWidths<Row>(columns: readonly Measured<Row>[], available: number): number[] {
  const widths = columns.map(({ width }) => width);
  const least = columns.map(leastWidth);
  const spare = (index: number) => (widths[index] ?? 0) - (least[index] ?? 0);
  let excess = total(widths) - available;
  const bySpareWidth = [...widths.keys()].sort((a, b) => spare(b) - spare(a));
  for (const index of bySpareWidth) {
    const given = Math.min(Math.max(0, excess), spare(index));
    widths[index] = (widths[index] ?? 0) - given;
    excess -= given;
  }
  return widths;
}

function leastWidth<Row>({ column: { title, cutTo }, width }: Measured<Row>): number {
  return cutTo === undefined ? width : Math.min(width, Math.max(cutTo, displayWidth(title)));
}

/** Of a table with columns of these widths. */
function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

function cut(text: string, width: number, keepsEnd = false): string {
  if (!keepsEnd || displayWidth(text) <= width) return fit(text, width);
  return `…${text.slice(text.length - width + 1)}`;
}

/** Names and values below each other, long values folded to the width of a terminal; what is undefined is left out. */
export function facts(
  entries: readonly (readonly [name: string, value: string | undefined])[],
  heading: (text: string) => string = (text) => text,
  width?: number,
): string {
  const shown = entries.filter(([, value]) => value !== undefined);
  const names = Math.max(0, ...shown.map(([name]) => displayWidth(name)));
  const available = width === undefined ? undefined : Math.max(1, width - names - GAP.length);
  return shown
    .flatMap(([name, value]) =>
      folded(oneLine(value ?? ''), available).map((line, index) =>
        `${heading(padEnd(index === 0 ? name : '', names))}${GAP}${line}`.trimEnd(),
      ),
    )
    .join('\n');
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  return align === 'left' ? padEnd(text, width) : padStart(text, width);
}
