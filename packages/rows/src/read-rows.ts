import type { RowBatch, RowFormat } from '@agentclash/challengepack';
import { EncodingError } from './bytes.js';
import { readCsv } from './csv.js';
import { readJsonList } from './json-list.js';
import { readJsonl } from './jsonl.js';
import { type RowOptions, type RowSource } from './row.js';

type Reader = (source: RowSource, options: RowOptions) => AsyncGenerator<RowBatch>;

const READERS: { readonly [F in RowFormat]: Reader } = {
  jsonl: readJsonl,
  json: readJsonList,
  csv: readCsv,
  // Few packs have Parquet: its decoder is loaded by the first one.
  async *parquet(source, options) {
    const { readParquet } = await import('./parquet.js');
    yield* readParquet(source, options);
  },
};

/** Reads the rows of a file in batches of bounded size. Content never makes it fail: it is a problem with its place. */
export async function* readRows(source: RowSource, options: RowOptions): AsyncGenerator<RowBatch> {
  try {
    yield* READERS[options.format](source, options);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    yield { rows: [], problems: [{ message: error.message }] };
  }
}
