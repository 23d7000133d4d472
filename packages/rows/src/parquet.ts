import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { JsonValue, RowBatch } from '@agentclash/challengepack';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
  snappyUncompress,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { Batching, INEXACT, ROW_BYTES_MAX, ROW_LIMIT, type RowOptions, type RowSource } from './row.js';

/** Rows that are decoded at a time. */
const WINDOW_ROWS = 5_000;
/** Of one row group in one column, as the file states it: what is decoded at a time. */
const CHUNK_BYTES_MAX = 67_108_864;
const PAGE_BYTES_MAX = 33_554_432;
/** Values of one row in a column of lists, on average. */
const VALUES_PER_ROW_MAX = 1_000;
/** `PAR1`. */
const MAGIC = 0x50415231;
/** Names of columns that are shown in problems. */
const NAMES_MAX = 100;
const METADATA_BYTES_MAX = 8_388_608;

/** A file that is damaged, or that would take too much to decode. */
class ParquetError extends Error {
  override readonly name = 'ParquetError';
}

/** The rows of a Parquet file, of which only the needed columns are decoded. */
export async function* readParquet(
  source: RowSource,
  { columns: needed }: RowOptions,
): AsyncGenerator<RowBatch> {
  const batching = new Batching();
  const file: AsyncBuffer = {
    byteLength: source.bytes,
    slice: (start, end) => source.slice(start, end ?? source.bytes),
  };
  try {
    const metadata = await readMetadata(file);
    const all = parquetSchema(metadata).children.map(({ element }) => element.name);
    const columns = needed === undefined ? all : all.filter((name) => needed.has(name));
    if (needed !== undefined) yield { rows: [], problems: [], columns: all.slice(0, NAMES_MAX) };
    let from = 0;
    for (const group of metadata.row_groups) {
      await checkGroup(file, group, new Set(columns));
      const end = from + Number(group.num_rows);
      for (; from < end; from += WINDOW_ROWS) {
        const rowEnd = Math.min(from + WINDOW_ROWS, end);
        for (const row of await readWindow({ file, metadata, columns, rowStart: from, rowEnd })) {
          addRow(row, batching);
          yield* batching.full();
        }
      }
      from = end;
    }
  } catch (error) {
    // The decoder has no class of errors of its own; a damaged file makes it fail in any way.
    if (isOfSystem(error)) throw error;
    const hasRows = batching.count > 0;
    batching.fail({
      message: `${hasRows ? '' : 'the file '}cannot be read as Parquet: ${reasonOf(error)}`,
      ...(hasRows && { row: batching.count + 1 }),
    });
  }
  yield* batching.rest();
}

async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  const mark = 4;
  if (file.byteLength < 3 * mark) throw new ParquetError('it is too short');
  const tail = new DataView(await file.slice(file.byteLength - 2 * mark, file.byteLength));
  if (tail.getUint32(mark) !== MAGIC) {
    throw new ParquetError('it does not end as such a file does: is it csv, json or jsonl?');
  }
  if (tail.getUint32(0, true) > METADATA_BYTES_MAX) throw new ParquetError('its metadata is too large');
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const counted = metadata.row_groups.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  if (counted !== metadata.num_rows) throw new ParquetError('the counts of its rows contradict each other');
  return metadata;
}

/** Refuses what would be decoded to far more than it takes in the file. */
async function checkGroup(file: AsyncBuffer, group: RowGroup, columns: ReadonlySet<string>): Promise<void> {
  for (const { meta_data: chunk, file_path } of group.columns) {
    if (chunk === undefined || file_path !== undefined)
      throw new ParquetError('a part of it is in another file');
    if (!columns.has(chunk.path_in_schema[0] ?? '')) continue;
    const { total_compressed_size, total_uncompressed_size, dictionary_page_offset, data_page_offset } =
      chunk;
    const name = chunk.path_in_schema.join('.');
    if (total_uncompressed_size > CHUNK_BYTES_MAX || total_compressed_size > CHUNK_BYTES_MAX) {
      throw new ParquetError(`the column ${name} has more than 64 MiB in one row group`);
    }
    const start = Number(dictionary_page_offset ?? data_page_offset);
    const end = start + Number(total_compressed_size);
    if (start < 0 || end > file.byteLength) throw new ParquetError('it is cut off');
    const valuesMax = Number(group.num_rows) * (chunk.path_in_schema.length > 1 ? VALUES_PER_ROW_MAX : 1);
    checkPages(await file.slice(start, end), { name, valuesMax });
  }
}

/** The counts of pages are those that the decoder allocates memory for. */
function checkPages(chunk: ArrayBuffer, { name, valuesMax }: { name: string; valuesMax: number }): void {
  const reader = { view: new DataView(chunk), offset: 0 };
  let values = 0;
  let bytes = 0;
  while (reader.offset < chunk.byteLength - 1) {
    const header = parquetHeader(reader);
    const isDictionary = header.type === 'DICTIONARY_PAGE';
    const count = (header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header)
      ?.num_values;
    if (!isCount(count) || !isCount(header.compressed_page_size) || !isCount(header.uncompressed_page_size)) {
      throw new ParquetError(`the column ${name} has a damaged page`);
    }
    bytes += header.uncompressed_page_size;
    if (isDictionary && count > header.uncompressed_page_size * 8) {
      throw new ParquetError(`the column ${name} has a damaged page`);
    }
    if (!isDictionary) values += count;
    if (values > valuesMax)
      throw new ParquetError(`the column ${name} has more values than the file has rows`);
    if (header.uncompressed_page_size > PAGE_BYTES_MAX || bytes > CHUNK_BYTES_MAX) {
      throw new ParquetError(`the column ${name} is decompressed to more than 64 MiB in one row group`);
    }
    reader.offset += header.compressed_page_size;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

interface Window {
  file: AsyncBuffer;
  metadata: FileMetaData;
  columns: string[];
  rowStart: number;
  rowEnd: number;
}

async function readWindow(window: Window): Promise<Record<string, unknown>[]> {
  const { rowStart, rowEnd, columns } = window;
  if (columns.length === 0) return Array.from({ length: rowEnd - rowStart }, () => ({}));
  const rows = await parquetReadObjects({
    ...window,
    compressors: COMPRESSORS,
    geoparquet: false,
    utf8: false,
  });
  if (rows.length !== rowEnd - rowStart) throw new ParquetError('it has fewer rows than it states');
  return rows;
}

const COMPRESSORS: Compressors = {
  SNAPPY: (input, length) => {
    const output = new Uint8Array(bounded(length));
    snappyUncompress(input, output);
    return output;
  },
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: bounded(length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: bounded(length) }),
};

function bounded(length: number): number {
  if (length > PAGE_BYTES_MAX) throw new ParquetError('a page is decompressed to more than 32 MiB');
  // Zero would mean no limit.
  return Math.max(1, length);
}

function addRow(row: Record<string, unknown>, batching: Batching): void {
  const budget = { left: ROW_BYTES_MAX };
  const values: [string, JsonValue][] = [];
  for (const [column, value] of Object.entries(row)) {
    const reading = jsonOf(value, budget);
    if ('problem' in reading) {
      batching.skip({ column, message: reading.problem });
      return;
    }
    values.push([column, reading.value]);
  }
  batching.add(Object.fromEntries(values), ROW_BYTES_MAX - budget.left);
}

type Conversion = { value: JsonValue } | { problem: string };

function jsonOf(value: unknown, budget: { left: number }): Conversion {
  budget.left -= typeof value === 'string' ? value.length : 8;
  if (budget.left < 0) return { problem: `has more than ${ROW_LIMIT}` };
  if (value === undefined || value === null) return { value: null };
  if (typeof value === 'string' || typeof value === 'boolean') return { value };
  if (typeof value === 'number') {
    return Number.isFinite(value) ? { value } : { problem: `holds ${value}, which has no JSON form` };
  }
  if (typeof value === 'bigint') return integerOf(value);
  if (value instanceof Date) return dateOf(value);
  if (value instanceof Uint8Array) return textOf(value, budget);
  return compoundOf(value as object, budget);
}

function integerOf(value: bigint): Conversion {
  const number = Number(value);
  // As in JSON, 10^16 is kept, and 2^60 is not: its double is written with other digits.
  if (String(number) === String(value)) return { value: number };
  return { problem: INEXACT };
}

function dateOf(value: Date): Conversion {
  if (Number.isNaN(value.getTime())) return { problem: 'holds a date that does not exist' };
  return { value: value.toISOString() };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Not every writer declares its texts as such. */
function textOf(value: Uint8Array, budget: { left: number }): Conversion {
  budget.left -= value.byteLength;
  if (budget.left < 0) return { problem: `has more than ${ROW_LIMIT}` };
  try {
    return { value: utf8.decode(value) };
  } catch {
    return { problem: 'holds bytes, which have no JSON form' };
  }
}

function compoundOf(value: object, budget: { left: number }): Conversion {
  const isList = Array.isArray(value);
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    budget.left -= isList ? 0 : key.length;
    const reading = jsonOf(member, budget);
    if ('problem' in reading) return reading;
    members.push([key, reading.value]);
  }
  return { value: isList ? members.map(([, member]) => member) : Object.fromEntries(members) };
}

function isOfSystem(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

const REASON_MAX = 200;

function reasonOf(error: unknown): string {
  // A value of the file that is not there, or beyond its end.
  if (error instanceof TypeError || error instanceof RangeError) return 'it is damaged';
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  const text = message.replace(/^parquet (?:file )?/, '').slice(0, REASON_MAX);
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
}
