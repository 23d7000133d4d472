import type { JsonObject } from '@agentclash/challengepack';
import { ImportError, type ImportLocation } from '../framework/import-error.js';
import { type ImportSource, readText } from '../framework/import-source.js';
import { parseJson } from '../inspect/read-log.js';
import { readTable } from '../tables/read-table.js';
import { isInstanceRow } from './instance.js';

export interface InstanceRows {
  rows: { row: JsonObject; location: ImportLocation }[];
  columns: string[];
  file: string;
}

/** The rows of a file, or of the one file of instances in a folder. */
export async function readInstances(source: ImportSource): Promise<InstanceRows> {
  const file = source.entry ?? (await findFile(source));
  if (file.endsWith('.json')) {
    const value = parseJson(await readText(source, file), file);
    if (!Array.isArray(value) || value.length === 0)
      throw new ImportError({ file, message: 'expected a list of instances' });
    const rows = value.map((row, index) => {
      if (!isInstanceRow(row))
        throw new ImportError({ file, row: index + 1, message: 'expected an instance' });
      return { row, location: { file, row: index + 1 } };
    });
    return { rows, columns: [...new Set(rows.flatMap(({ row }) => Object.keys(row)))], file };
  }
  const format = file.endsWith('.parquet') ? 'parquet' : 'jsonl';
  const { rows, columns, locations } = await readTable(source, file, format);
  const located = rows.map((row, index) => ({ row, location: { file, ...locations[index] } }));
  return { rows: located, columns, file };
}

async function findFile(source: ImportSource): Promise<string> {
  const files = (await source.list())
    .filter(({ path, kind }) => kind === 'file' && /^[^/]+\.(jsonl|json|parquet)$/.test(path))
    .map(({ path }) => path);
  const [file] = files;
  if (file === undefined || files.length > 1) {
    const message =
      file === undefined
        ? 'there is no file of instances'
        : `there are several files: give one of ${files.join(', ')}`;
    throw new ImportError({ file: source.name, message });
  }
  return file;
}
