import type { CsvCell } from '@agentclash/api/csv';
import type { ResultRecord } from './record.js';

type ColumnType = 'STRING' | 'INT32' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP';

/** A column of a table of results. A cell without a value is null. */
export interface Column {
  name: string;
  type: ColumnType;
  cellOf: (record: ResultRecord) => CsvCell;
}

/** The keys of an evaluation spec's results, which become columns of their own. */
export interface ResultKeys {
  dimensions: readonly string[];
  validators: readonly string[];
  judges: readonly string[];
  metrics: readonly string[];
}

type ScalarName = {
  [K in keyof ResultRecord]: ResultRecord[K] extends string | number | boolean | null ? K : never;
}[keyof ResultRecord];

const SCALARS = {
  schema: 'STRING',
  run_id: 'STRING',
  run_name: 'STRING',
  pack: 'STRING',
  version_number: 'INT32',
  version_id: 'STRING',
  version_digest: 'STRING',
  evaluation_spec_id: 'STRING',
  input_set: 'STRING',
  lane: 'STRING',
  deployment: 'STRING',
  deployment_id: 'STRING',
  variant: 'STRING',
  kind: 'STRING',
  attempt_id: 'STRING',
  case_key: 'STRING',
  challenge_key: 'STRING',
  repetition: 'INT32',
  state: 'STRING',
  outcome: 'STRING',
  limit_kind: 'STRING',
  error_code: 'STRING',
  passed: 'BOOLEAN',
  overall: 'DOUBLE',
  validity: 'STRING',
  reason: 'STRING',
  scorecard_revision: 'INT32',
  // Counts of tokens may exceed 32 bits.
  input_tokens: 'DOUBLE',
  output_tokens: 'DOUBLE',
  total_tokens: 'DOUBLE',
  cost_usd: 'DOUBLE',
  cost_at_least_usd: 'DOUBLE',
  model_calls: 'INT32',
  tool_calls: 'INT32',
  served_calls: 'INT32',
  latency_ms: 'DOUBLE',
  started_at: 'TIMESTAMP',
  finished_at: 'TIMESTAMP',
  skipped: 'BOOLEAN',
  stopped: 'STRING',
  selective_retry: 'BOOLEAN',
  imported: 'BOOLEAN',
  audit_result: 'STRING',
  audit_strength: 'DOUBLE',
  audit_cheats_gained: 'INT32',
  audited_at: 'TIMESTAMP',
} as const satisfies Record<ScalarName, ColumnType>;

/** The columns of a table: the scalars of a record, then a score for each dimension, validator and judge, and the metrics. */
export function columnsOf({ dimensions, validators, judges, metrics }: ResultKeys): Column[] {
  return [
    ...(Object.keys(SCALARS) as ScalarName[]).map(scalar),
    ...dimensions.map((key) => score(`dimension.${key}`, (record) => record.dimensions[key])),
    ...validators.map((key) => score(`validator.${key}`, (record) => record.validators[key])),
    ...judges.map((key) => score(`judge.${key}`, (record) => record.judges[key])),
    ...metrics.map(metric),
  ];
}

function scalar(name: ScalarName): Column {
  const type: ColumnType = SCALARS[name];
  if (type !== 'TIMESTAMP') return { name, type, cellOf: (record) => record[name] };
  return {
    ...{ name, type },
    cellOf: (record) => {
      const time = record[name];
      return typeof time === 'string' ? new Date(time) : null;
    },
  };
}

function score(name: string, of: (record: ResultRecord) => { score: number | null } | undefined): Column {
  return { name, type: 'DOUBLE', cellOf: (record) => of(record)?.score ?? null };
}

/** A boolean counts as 1 or 0. */
function metric(key: string): Column {
  return {
    ...{ name: `metric.${key}`, type: 'DOUBLE' },
    cellOf: ({ metrics }) => {
      const value = metrics[key] ?? null;
      return value === null ? null : Number(value);
    },
  };
}
