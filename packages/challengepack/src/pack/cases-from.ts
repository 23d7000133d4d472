import type { JsonObject } from '../json.js';
import type { Expectation, Input } from './model.js';
import type { Solution } from './solution.js';

export type RowFormat = 'jsonl' | 'json' | 'csv' | 'parquet';
export type RowDelimiter = 'comma' | 'semicolon' | 'tab' | 'pipe';

export interface Sample {
  n: number;
  /** Absent: 0. */
  seed?: number;
}

/** A data file each row of which is a case. Texts are templates of the row. */
export interface AuthoredCasesFrom {
  path?: string;
  /** UUID of the stored bytes; absent for a file beside the pack. */
  artifact_id?: string;
  /** In manifests always present. */
  format?: RowFormat;
  delimiter?: RowDelimiter;
  case_key: string;
  challenge_key: string;
  payload?: JsonObject;
  inputs?: Input[];
  expectations?: Expectation[];
  solution?: Solution;
  limit?: number;
  sample?: Sample;
}

export interface CasesFrom extends AuthoredCasesFrom {
  /** Of the cases that were read, as manifests have them: their count, and the SHA-256 of their canonical JSON, one line each. */
  rows?: { count: number; sha256: string };
}
