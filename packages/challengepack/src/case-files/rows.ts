import type { JsonObject } from '../json.js';

/** One row of a data file; `row` counts from 1, without a header and empty lines. */
export interface Row {
  row: number;
  /** The line at which it ends, where the format has lines. */
  line?: number;
  values: JsonObject;
}

/** A part of a file that cannot be read. Without a row it concerns the whole file. */
export interface RowProblem {
  row?: number;
  line?: number;
  /** The name of the column. */
  column?: string;
  message: string;
}

/** Rows in the order of the file, and what cannot be read among them. */
export interface RowBatch {
  rows: Row[];
  problems: RowProblem[];
  /** The names of all columns, where the file states them. */
  columns?: readonly string[];
}
