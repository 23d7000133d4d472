/** One record of a CSV text; the cells as written, quotes resolved. */
export type CsvRow = readonly string[];

/**
 * Reads RFC 4180 text with the given one-character delimiter; lines end in CRLF or LF, empty ones are skipped.
 * Null for a quote that is open at the end, inside an unquoted cell, or followed by more text.
 */
export function readCsv(text: string, delimiter: string): CsvRow[] | null {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = readCell(text, at, delimiter);
    if (cell === null) return null;
    cells.push(cell.value);
    at = cell.end;
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      if (at < text.length && !isLineEnd(text, at)) continue;
      cells.push('');
    }
    at += lineEndLength(text, at);
    if (!(cells.length === 1 && cell.isBare && cell.value === '')) rows.push(cells);
    cells = [];
  }
  return rows;
}

interface Cell {
  readonly value: string;
  readonly end: number;
  readonly isBare: boolean;
}

function readCell(text: string, start: number, delimiter: string): Cell | null {
  return text[start] === '"' ? readQuotedCell(text, start, delimiter) : readBareCell(text, start, delimiter);
}

function readBareCell(text: string, start: number, delimiter: string): Cell | null {
  let end = start;
  while (end < text.length && !text.startsWith(delimiter, end) && !isLineEnd(text, end)) {
    if (text[end] === '"') return null;
    end += 1;
  }
  return { value: text.slice(start, end), end, isBare: true };
}

function readQuotedCell(text: string, start: number, delimiter: string): Cell | null {
  let end = start + 1;
  for (;;) {
    const quote = text.indexOf('"', end);
    if (quote === -1) return null;
    if (text[quote + 1] === '"') {
      end = quote + 2;
      continue;
    }
    const after = quote + 1;
    const isClosed = after === text.length || text.startsWith(delimiter, after) || isLineEnd(text, after);
    if (!isClosed) return null;
    return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: after, isBare: false };
  }
}

function isLineEnd(text: string, at: number): boolean {
  return lineEndLength(text, at) > 0;
}

function lineEndLength(text: string, at: number): number {
  if (text[at] === '\n') return 1;
  return text[at] === '\r' && text[at + 1] === '\n' ? 2 : 0;
}
