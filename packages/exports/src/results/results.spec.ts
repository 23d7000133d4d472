import { textOfCell } from '@agentclash/api/csv';
import { readCsv } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { exportedAttempt, RUN } from '../testing/records.js';
import { type Column, columnsOf } from './columns.js';
import { csvLines } from './csv.js';
import { jsonLines } from './jsonl.js';
import { parquetBytes } from './parquet.js';
import { type ResultRecord, resultRecord } from './record.js';

const COLUMNS = columnsOf({
  dimensions: ['correctness', 'speed'],
  validators: ['exact'],
  judges: ['tone'],
  metrics: ['steps', 'done'],
});
const RECORD = resultRecord(RUN, exportedAttempt());
const UNSCORED = resultRecord(RUN, {
  ...exportedAttempt({
    ...{ outcome: 'infra_error', overall: null, passed: null, finished_at: null, latency_ms: null },
    error: { code: 'sandbox_lost', message: 'gone', retryable: true },
  }),
  scorecard: { revision: null, evaluation_spec_id: null, scorecard: null },
});

const LANE = COLUMNS.filter(({ name }) => name === 'lane');

async function* from(records: readonly ResultRecord[]) {
  yield* records;
}

async function collect<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function rowsOf(records: readonly ResultRecord[], columns: readonly Column[]) {
  return readCsv((await collect(csvLines(from(records), columns))).join(''), ',') ?? [];
}

async function parquetOf(records: readonly ResultRecord[], columns: readonly Column[] = COLUMNS) {
  const bytes = Buffer.concat(await collect(parquetBytes(from(records), columns)));
  return new Uint8Array(bytes).buffer;
}

describe('a record of a result', () => {
  test('a record has the facts of the run, the end of the attempt and every score', () => {
    expect(RECORD).toMatchObject({
      schema: 'agentclash.result/1',
      ...{ pack: 'sums', version_number: 2, version_digest: 'sha256:00', input_set: 'default' },
      ...{ lane: 'lane 6', kind: 'scripted', case_key: 'small', challenge_key: 'sum', repetition: 1 },
      ...{ outcome: 'completed', passed: true, overall: 0.75, reason: 'threshold_met' },
      dimensions: {
        correctness: { state: 'available', score: 0.5, raw: null },
        speed: { score: 1, raw: { value: 12.5, unit: 'ms' } },
      },
      validators: { exact: { type: 'exact_match', verdict: 'fail', score: 0, reason: 'mismatch' } },
      judges: { tone: { state: 'unavailable', score: null, reason: 'no_model' } },
      metrics: { steps: 4, done: true },
      ...{ input_tokens: 3_000_000_000, cost_usd: null, cost_at_least_usd: 0.25, skipped: false },
    });
  });

  test('an attempt without a scorecard has nulls and the code of its error, never zeros', () => {
    expect(UNSCORED).toMatchObject({
      ...{ outcome: 'infra_error', error_code: 'sandbox_lost', overall: null, passed: null, reason: null },
      ...{ dimensions: {}, validators: {}, metrics: {}, latency_ms: null },
    });
  });

  test('JSONL has one record a line', async () => {
    const lines = await collect(jsonLines(from([RECORD, UNSCORED])));
    expect(lines.map((line) => JSON.parse(line))).toEqual([RECORD, UNSCORED]);
    expect(lines.join('').split('\n')).toHaveLength(3);
  });
});

describe('results as CSV', () => {
  test('the header names every column, a cell without a value is empty, and times are ISO 8601', async () => {
    const [header, row, unscored] = await rowsOf([RECORD, UNSCORED], COLUMNS);
    expect(header).toEqual(COLUMNS.map(({ name }) => name));
    const cell = (cells: readonly string[] | undefined, name: string) =>
      cells?.[COLUMNS.findIndex((column) => column.name === name)];
    expect(cell(row, 'dimension.correctness')).toBe('0.5');
    expect(cell(row, 'metric.done')).toBe('1');
    expect(cell(row, 'judge.tone')).toBe('');
    expect(cell(row, 'started_at')).toBe('2026-03-01T12:00:00.000Z');
    expect(cell(unscored, 'overall')).toBe('');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', "'=1", '\n-2'])(
    'the text %j is no formula of a spreadsheet, and is read back as it was',
    async (text) => {
      const [, [cell = ''] = []] = await rowsOf([{ ...RECORD, lane: text }], LANE);
      expect(cell.startsWith("'")).toBe(true);
      expect(textOfCell(cell)).toBe(text);
    },
  );

  test('every text is read back as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        const written = (await collect(csvLines(from([{ ...RECORD, lane: text }]), LANE))).join('');
        const quoted = /^"([\s\S]*)"\r\n$/.exec(written.slice('lane\r\n'.length));
        const cell = quoted?.[1]?.replaceAll('""', '"') ?? written.slice('lane\r\n'.length, -2);
        expect(textOfCell(cell)).toBe(text);
        expect(cell).not.toMatch(/^\s*[=+\-@]/);
      }),
    );
  });
});

describe('results as Parquet', () => {
  test('a reader of Parquet finds every cell with its type', async () => {
    const file = await parquetOf([RECORD, UNSCORED]);
    const [first, second] = await parquetReadObjects({ file });
    const expected = (record: ResultRecord) =>
      Object.fromEntries(COLUMNS.map(({ name, cellOf }) => [name, cellOf(record)]));
    expect(first).toEqual(expected(RECORD));
    expect(second).toEqual(expected(UNSCORED));
    expect(parquetMetadata(file).key_value_metadata).toContainEqual({
      key: 'schema',
      value: 'agentclash.result/1',
    });
  });

  test('a run without attempts is a file without rows', async () => {
    expect(await parquetReadObjects({ file: await parquetOf([]) })).toEqual([]);
  });

  test('rows are written in groups while others are still read, and all are found', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ ...RECORD, repetition: index + 1 }));
    let read = 0;
    const source = async function* () {
      for (const row of rows) {
        read += 1;
        yield row;
      }
    };
    const readAtChunk: number[] = [];
    const chunks: Uint8Array[] = [];
    for await (const chunk of parquetBytes(source(), COLUMNS)) {
      readAtChunk.push(read);
      chunks.push(chunk);
    }
    expect(readAtChunk).toEqual([2_000, 4_000, 5_000]);
    const file = new Uint8Array(Buffer.concat(chunks)).buffer;
    const found = await parquetReadObjects({ file, columns: ['repetition'] });
    expect(found.map(({ repetition }) => repetition)).toEqual(rows.map(({ repetition }) => repetition));
  });
});
