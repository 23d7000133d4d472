import { describe, expect, test } from '@jest/globals';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readRows } from './read-rows.js';
import { readAll, sourceOf } from './testing/read-all.js';

type Column = Parameters<typeof parquetWriteBuffer>[0]['columnData'][number];
const write = (columnData: Column[], options: object = {}) =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...options }));

describe('a Parquet file', () => {
  test('values of a Parquet file have the types of its columns', async () => {
    const at = new Date('2026-01-02T03:04:05.006Z');
    const file = write([
      { name: 'text', data: ['a', null] },
      { name: 'int', data: [1, 2] },
      { name: 'long', data: [3n, 4n] },
      { name: 'float', data: [0.5, 1.5] },
      { name: 'flag', data: [true, false] },
      { name: 'time', data: [at, at] },
      { name: 'nested', data: [{ a: [1] }, { a: [] }], type: 'JSON' },
    ]);
    const { rows, problems } = await readAll(file, { format: 'parquet' });
    expect(problems).toEqual([]);
    const time = at.toISOString();
    expect(rows.map(({ values }) => values)).toEqual([
      { text: 'a', int: 1, long: 3, float: 0.5, flag: true, time, nested: { a: [1] } },
      { text: null, int: 2, long: 4, float: 1.5, flag: false, time, nested: { a: [] } },
    ]);
  });

  test('only the needed columns of a Parquet file are read, over all row groups and windows', async () => {
    const count = 12_345;
    const numbers = Array.from({ length: count }, (_each, index) => index);
    const file = write(
      [
        { name: 'id', data: numbers },
        { name: 'bytes', data: numbers.map((each) => Uint8Array.of(each % 256)), type: 'BYTE_ARRAY' },
      ],
      { rowGroupSize: 7_000 },
    );
    const { rows, problems } = await readAll(file, { format: 'parquet', columns: new Set(['id']) });
    expect(problems).toEqual([]);
    expect(rows.map(({ row, values }) => [row, values.id])).toEqual(numbers.map((each) => [each + 1, each]));
  });

  test('the names of all columns of a Parquet file are known, though only the needed ones are read', async () => {
    const source = sourceOf(
      write([
        { name: 'id', data: [1] },
        { name: 'Question', data: ['q'] },
      ]),
    );
    const columns: string[] = [];
    for await (const batch of readRows(source, { format: 'parquet', columns: new Set(['question']) })) {
      columns.push(...(batch.columns ?? []));
    }
    expect(columns).toEqual(['id', 'Question']);
  });

  test('a Parquet file that would be decompressed to far more than it takes is refused', async () => {
    const text = 'a'.repeat(1_000_000);
    const file = write([
      { name: 'id', data: Array.from({ length: 80 }, (_each, index) => `${index}${text}`) },
    ]);
    expect(file.length).toBeLessThan(8_000_000);
    const { rows, problems } = await readAll(file, { format: 'parquet' });
    expect(rows).toEqual([]);
    expect(problems).toEqual([
      { message: 'the file cannot be read as Parquet: the column id has more than 64 MiB in one row group' },
    ]);
  });
});
