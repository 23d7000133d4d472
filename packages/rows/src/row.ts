import type { JsonObject, RowBatch, RowDelimiter, RowFormat, RowProblem } from '@agentclash/challengepack';

/** The bytes of a file. */
export interface RowSource {
  bytes: number;
  stream(): AsyncIterable<Uint8Array>;
  slice(start: number, end: number): Promise<ArrayBuffer>;
}

export interface RowOptions {
  format: RowFormat;
  /** Of CSV; absent: the most frequent one in the header. */
  delimiter?: RowDelimiter | undefined;
  /** The columns that are needed, as far as the format can leave out others; absent: all. */
  columns?: ReadonlySet<string> | undefined;
}

/** The bytes of one row: what one case could hold in a pack. */
export const ROW_BYTES_MAX = 1_048_576;
export const ROW_LIMIT = '1 MiB';

/** The problem of a value, in every format. */
export const INEXACT = 'holds a number that a double cannot keep as it is written: write it as text';

const BATCH_ROWS = 1_000;
/** Characters, or about as much. */
const BATCH_SIZE = 4_194_304;

/** Collects rows and problems until there are enough for one batch. */
export class Batching {
  #batch: RowBatch = { rows: [], problems: [] };
  #size = 0;
  #count = 0;

  /** The number of rows so far, readable or not. */
  get count(): number {
    return this.#count;
  }

  add(values: JsonObject, size: number, line?: number): void {
    this.#count += 1;
    this.#size += size;
    this.#batch.rows.push({ row: this.#count, values, ...(line !== undefined && { line }) });
  }

  /** A row that cannot be read. */
  skip(problem: Omit<RowProblem, 'row'>): void {
    this.#count += 1;
    this.#batch.problems.push({ ...problem, row: this.#count });
  }

  /** A problem of the next row, or of the file, after which nothing is read. */
  fail(problem: RowProblem): void {
    this.#batch.problems.push(problem);
  }

  *full(): Iterable<RowBatch> {
    const { rows, problems } = this.#batch;
    if (rows.length + problems.length >= BATCH_ROWS || this.#size >= BATCH_SIZE) yield* this.rest();
  }

  *rest(): Iterable<RowBatch> {
    const batch = this.#batch;
    this.#batch = { rows: [], problems: [] };
    this.#size = 0;
    if (batch.rows.length + batch.problems.length > 0) yield batch;
  }
}
