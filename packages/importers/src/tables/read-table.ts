import type { JsonObject } from '@agentclash/challengepack';
import { bytesSource, readRows } from '@agentclash/rows';
import { ImportError, type ImportLocation, type ImportProblem } from '../framework/import-error.js';
import type { ImportSource } from '../framework/import-source.js';

/** The records of a file. Cells of CSV are strings; rows of JSONL may lack columns and hold any value. */
export interface Table {
  columns: string[];
  rows: JsonObject[];
  /** Of each row. */
  locations: ImportLocation[];
  /** The names of the columns as the file has them. */
  names: string[];
}

type TableFormat = 'csv' | 'jsonl' | 'parquet';

/** Problems of one file that are reported at once. */
const PROBLEMS_MAX = 20;
const COLUMNS_MAX = 1_000;

/** The rows of a file, read as those of `cases_from`; names of columns without white space around them. */
export async function readTable(source: ImportSource, file: string, format: TableFormat): Promise<Table> {
  const bytes = bytesSource(await source.read(file));
  const problems: ImportProblem[] = [];
  const names = new Set<string>();
  const rows: JsonObject[] = [];
  const locations: ImportLocation[] = [];
  for await (const batch of readRows(bytes, { format })) {
    for (const { row, line, column, message } of batch.problems) {
      problems.push({ ...located(file, row, line), ...(column !== undefined && { field: column }), message });
    }
    for (const name of batch.columns ?? []) names.add(name);
    for (const { row, line, values } of batch.rows) {
      for (const name of Object.keys(values)) names.add(name);
      rows.push(values);
      locations.push(located(file, row, line));
    }
    if (names.size > COLUMNS_MAX) {
      throw new ImportError({ file, message: `the rows have more than ${COLUMNS_MAX} columns` });
    }
  }
  refuse(problems, rows, file);
  const columns = trimmed([...names], file);
  return { columns, names: [...names], rows: rows.map(withoutBlanks), locations };
}

function located(file: string, row: number | undefined, line: number | undefined): ImportLocation {
  return { file, ...(row !== undefined && { row }), ...(line !== undefined && { line }) };
}

function trimmed(names: readonly string[], file: string): string[] {
  const columns = names.map((name) => name.trim());
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
  if (repeated === undefined) return columns;
  throw new ImportError({ file, message: `the column ${JSON.stringify(repeated)} is repeated` });
}

function withoutBlanks(row: JsonObject): JsonObject {
  if (Object.keys(row).every((name) => name.trim() === name)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.trim(), value]));
}

function refuse(problems: readonly ImportProblem[], rows: readonly unknown[], file: string): void {
  if (problems.length > PROBLEMS_MAX) {
    const message = `${problems.length - PROBLEMS_MAX} further rows have problems`;
    throw new ImportError([...problems.slice(0, PROBLEMS_MAX), { file, message }]);
  }
  if (problems.length > 0) throw new ImportError(problems);
  if (rows.length === 0) throw new ImportError({ file, message: 'the file has no rows' });
}
