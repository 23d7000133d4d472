import { isJsonObject, type JsonObject } from '@agentclash/challengepack';
import { repeatedKey } from '@agentclash/domain';
import { CsvError, parse } from 'csv-parse/sync';
import { ImportError, type ImportProblem } from '../framework/import-error.js';

/** The records of a file. Cells of CSV are strings; rows of JSONL may lack columns and hold any value. */
export interface Table {
  columns: string[];
  rows: JsonObject[];
  /** The line at which each row begins, from 1. */
  lines: number[];
  /** The names of the columns as the file has them. */
  names: string[];
}

/** Problems of one file that are reported at once. */
const PROBLEMS_MAX = 20;
const COLUMNS_MAX = 1_000;

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

/** RFC 4180 with a header; the separator is a comma, semicolon, tab or bar. */
export function readCsvTable(text: string, file: string): Table {
  const delimiter = delimiterOf(text);
  let records: CsvRecord[];
  try {
    const options = { delimiter, info: true, relax_column_count: true, skip_empty_lines: true } as const;
    // The declared type does not know the option `info`.
    records = parse(text, options) as unknown as CsvRecord[];
  } catch (error) {
    if (error instanceof CsvError) throw new ImportError(csvProblem(error, file));
    throw error;
  }
  const [header, ...rest] = records;
  if (header === undefined) throw new ImportError({ file, line: 1, message: 'the file has no header' });
  const columns = header.record.map((name) => name.trim());
  checkColumns(columns, file);
  const problems: ImportProblem[] = [];
  const rows = rest.map(({ record, info }, index) => {
    if (record.length !== columns.length) {
      const message = `the row has ${record.length} cells, the header has ${columns.length}`;
      problems.push({ file, line: info.lines, row: index + 1, message });
    }
    return Object.fromEntries(columns.map((column, at) => [column, record[at] ?? '']));
  });
  refuse(problems, rows, file);
  return { columns, names: header.record, rows, lines: rest.map(({ info }) => info.lines) };
}

/** One JSON object in each line; empty lines are skipped. */
export function readJsonlTable(text: string, file: string): Table {
  const problems: ImportProblem[] = [];
  const columns = new Set<string>();
  const rows: JsonObject[] = [];
  const lines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const location = { file, line: index + 1, row: rows.length + 1 };
    const value = jsonOf(line);
    if (!isJsonObject(value)) {
      problems.push({
        ...location,
        message: value === undefined ? 'the line is no JSON' : 'the line is no object',
      });
    } else {
      const repeated = repeatedKey(line);
      if (repeated !== undefined)
        problems.push({ ...location, field: repeated.key, message: 'the key is repeated' });
      for (const column of Object.keys(value)) columns.add(column);
    }
    rows.push(isJsonObject(value) ? value : {});
    lines.push(index + 1);
    if (columns.size > COLUMNS_MAX) {
      throw new ImportError({ ...location, message: `the rows have more than ${COLUMNS_MAX} columns` });
    }
  }
  refuse(problems, rows, file);
  return { columns: [...columns], names: [...columns], rows, lines };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The separator that occurs most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length - 1);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function checkColumns(columns: readonly string[], file: string): void {
  const fail = (column: number, message: string) =>
    new ImportError({ file, line: 1, message: `${message} (column ${column + 1} of the header)` });
  for (const [index, name] of columns.entries()) {
    if (name === '') throw fail(index, 'a column has no name');
    if (columns.indexOf(name) !== index) throw fail(index, `the column ${JSON.stringify(name)} is repeated`);
    if (index >= COLUMNS_MAX) throw fail(index, `there are more than ${COLUMNS_MAX} columns`);
  }
}

function refuse(problems: readonly ImportProblem[], rows: readonly unknown[], file: string): void {
  if (problems.length > PROBLEMS_MAX) {
    const message = `${problems.length - PROBLEMS_MAX} further rows have problems`;
    throw new ImportError([...problems.slice(0, PROBLEMS_MAX), { file, message }]);
  }
  if (problems.length > 0) throw new ImportError(problems);
  if (rows.length === 0) throw new ImportError({ file, message: 'the file has no rows' });
}

const CSV_MESSAGES: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is still open at the end of the file',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is inside of an unquoted cell; quote the cell and double the quote',
};

function csvProblem(error: CsvError, file: string): ImportProblem {
  const line = typeof error.lines === 'number' ? error.lines : undefined;
  return { file, ...(line !== undefined && { line }), message: CSV_MESSAGES[error.code] ?? error.message };
}
