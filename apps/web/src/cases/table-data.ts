import { isRecord } from '@agentclash/domain';

export interface TableData {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Rows that are there and not shown. */
  omitted: number;
}

const ROWS_MAX = 200;
const COLUMNS_MAX = 50;

/** Reads a list of objects, a list of lists whose first holds the titles, or CSV. Undefined for anything else. */
export function readTable(value: unknown): TableData | undefined {
  const [columns, ...rows] = rowsOf(value) ?? [];
  if (columns === undefined || columns.length === 0) return undefined;
  return {
    columns: columns.slice(0, COLUMNS_MAX),
    rows: rows
      .slice(0, ROWS_MAX)
      .map((row) => columns.slice(0, COLUMNS_MAX).map((_title, at) => row[at] ?? '')),
    omitted: Math.max(0, rows.length - ROWS_MAX),
  };
}

/** The first row holds the titles. */
function rowsOf(value: unknown): string[][] | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : readCsv(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (value.every(Array.isArray)) return value.map((row: unknown[]) => row.map(cellText));
  if (!value.every(isRecord)) return undefined;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  return [columns, ...value.map((row) => columns.map((name) => cellText(row[name])))];
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Cells between commas, or tabs where the first line has some; quoted ones may hold separators and line breaks. */
function readCsv(text: string): string[][] {
  const separator = text.slice(0, text.search(/[\r\n]|$/)).includes('\t') ? '\t' : ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    rows.push([...row, cell]);
    [row, cell] = [[], ''];
  };
  const source = text.replace(/\r\n?/g, '\n');
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '"') {
      if (isQuoted && source.charAt(at + 1) === '"') cell += source.charAt(at++);
      else isQuoted = !isQuoted;
    } else if (isQuoted) cell += character;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else cell += character;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
