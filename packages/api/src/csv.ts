/** A value of a table as programs read it; null is an empty cell. */
export type CsvCell = string | number | boolean | Date | null;

/** Spreadsheets take a text that begins so for a formula, after white space too. */
const FORMULA = /^\s*[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A line of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it; `textOfCell` takes
 * it off again.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const text = isMarked(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that itself begins with an apostrophe before a formula is marked too, so that the mark can be taken off. */
function isMarked(text: string): boolean {
  return FORMULA.test(text.replace(/^'+/, ''));
}

/** The text that a cell was written for. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isMarked(cell.slice(1)) ? cell.slice(1) : cell;
}
