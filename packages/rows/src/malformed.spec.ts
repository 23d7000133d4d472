import type { RowFormat } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readAll } from './testing/read-all.js';

const HEADER = 'id,q\n';
const LONG = 'x'.repeat(1_100_000);
const BOM_LE = Buffer.from([0xff, 0xfe]);
const parquet = (values: unknown[], type?: string) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: 'id', data: values as never, ...(type && { type: type as never }) }],
    }),
  );
const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 30);
/** The metadata states other counts than the file has. */
function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[at] = value;
  return changed;
}

type Malformed = [
  name: string,
  format: RowFormat,
  content: string | Uint8Array,
  problem: { row?: number; column?: string; message: string },
];

const TOO_LONG = 'has more than 1 MiB';
const INEXACT = 'holds a number that a double cannot keep as it is written: write it as text';

const MALFORMED: Malformed[] = [
  [
    'a CSV file without content',
    'csv',
    '',
    { message: 'the file is empty, and its first line must name the columns' },
  ],
  [
    'a CSV file of blank lines',
    'csv',
    '\n \n\n',
    { message: 'the file is empty, and its first line must name the columns' },
  ],
  [
    'a CSV row with too few values',
    'csv',
    `${HEADER}1,a\n2\n`,
    { row: 2, message: 'has 1 value, and the header names 2 columns' },
  ],
  [
    'a CSV row with too many values',
    'csv',
    `${HEADER}1,a,b\n`,
    { row: 1, message: 'has 3 values, and the header names 2 columns' },
  ],
  [
    'a CSV quote that is not closed',
    'csv',
    `${HEADER}1,"a\n2,b\n`,
    { row: 1, message: 'has a quote that is not closed before the end of the file' },
  ],
  [
    'a CSV header with a quote that is not closed',
    'csv',
    '"id,q\n1,2\n',
    { message: 'the header has a quote that is not closed before the end of the file' },
  ],
  [
    'text after a closing quote in CSV',
    'csv',
    `${HEADER}1,"a"b\n`,
    { row: 1, message: 'has text after a closing quote: double the quotes inside of a value' },
  ],
  [
    'a quote within a CSV value',
    'csv',
    `${HEADER}1,a"b\n`,
    {
      row: 1,
      message: 'has a quote inside of a value: quote the whole value, and double the quotes inside of it',
    },
  ],
  ['a CSV column without a name', 'csv', 'id,,q\n1,a,b\n', { message: 'column 2 of the header has no name' }],
  ['a CSV header without names', 'csv', ',,\n1,a,b\n', { message: 'the header names no column' }],
  [
    'a CSV value beyond the columns that have a name',
    'csv',
    'id,q,,\n1,a,,\n2,b,,c\n',
    { row: 2, message: 'has a value in column 4, which the header does not name' },
  ],
  [
    'two CSV columns of one name',
    'csv',
    'id,id\n1,a\n',
    { column: 'id', message: 'column 2 of the header has the name of an earlier one' },
  ],
  [
    'the character U+0000 in a CSV value',
    'csv',
    `${HEADER}1,a\n2,b\0c\n`,
    { row: 2, column: 'q', message: 'holds the character U+0000' },
  ],
  [
    'the character U+0000 in a CSV header',
    'csv',
    'id,q\0\n1,a\n',
    { message: 'column 2 of the header holds the character U+0000' },
  ],
  [
    'a CSV file in Latin-1',
    'csv',
    Buffer.from(`${HEADER}1,a\n2,caf\xe9\n`, 'latin1'),
    { row: 2, column: 'q', message: 'is not UTF-8: save the file as UTF-8' },
  ],
  [
    'a CSV header in Latin-1',
    'csv',
    Buffer.from('id,caf\xe9\n1,a\n', 'latin1'),
    { message: 'column 2 of the header is not UTF-8: save the file as UTF-8' },
  ],
  [
    'a CSV file in UTF-16',
    'csv',
    Buffer.concat([BOM_LE, Buffer.from(HEADER, 'utf16le')]),
    { message: 'the file is UTF-16: save it as UTF-8' },
  ],
  [
    'a CSV file in UTF-16 without a mark',
    'csv',
    Buffer.from(HEADER, 'utf16le'),
    { message: 'the file is UTF-16: save it as UTF-8' },
  ],
  [
    'a CSV row that is too long',
    'csv',
    `${HEADER}1,${LONG}\n`,
    { row: 1, message: `${TOO_LONG}, or a quote that is not closed` },
  ],
  [
    'a CSV header that is too long',
    'csv',
    LONG,
    { message: `the header ${TOO_LONG}, or a quote that is not closed` },
  ],
  [
    'a JSONL line that is cut off',
    'jsonl',
    '{"id": 1}\n{"id": ',
    { row: 2, message: expect.stringMatching(/^is not JSON: /) as never },
  ],
  [
    'a JSONL line that is a list',
    'jsonl',
    '{"id": 1}\n\n[1]\n',
    { row: 2, message: 'is a list, and a row is an object' },
  ],
  ['a JSONL line that is a number', 'jsonl', '1', { row: 1, message: 'is a number, and a row is an object' }],
  [
    'a JSONL line with two objects',
    'jsonl',
    '{"id": 1}{"id": 2}',
    { row: 1, message: expect.stringMatching(/^is not JSON: /) as never },
  ],
  [
    'a JSONL number that no double holds',
    'jsonl',
    '{"id": 12345678901234567890}',
    { row: 1, column: 'id', message: INEXACT },
  ],
  [
    'a JSONL number that is larger than every double',
    'jsonl',
    '{"id": 1e400}',
    { row: 1, column: 'id', message: INEXACT },
  ],
  [
    'a nested JSONL number that no double holds',
    'jsonl',
    '{"a": {"b": [0.1234567890123456789]}}',
    { row: 1, column: 'a', message: INEXACT },
  ],
  [
    'a JSONL key that is there twice',
    'jsonl',
    '{"id": 1}\n{"id": 1, "q": 2, "id": 3}',
    { row: 2, column: 'id', message: 'is there twice in one object' },
  ],
  [
    'a nested JSON key that is there twice',
    'json',
    '[{"id": {"a": 1, "\\u0061": 2}}]',
    { row: 1, column: 'a', message: 'is there twice in one object' },
  ],
  [
    'a JSONL line that is nested too deeply',
    'jsonl',
    `{"a": ${'['.repeat(300)}${']'.repeat(300)}}`,
    { row: 1, message: 'is not JSON: it is nested too deeply' },
  ],
  [
    'a JSONL file in Latin-1',
    'jsonl',
    Buffer.from('{"id": 1}\n{"id": "\xe9"}', 'latin1'),
    { row: 2, message: 'is not UTF-8: save the file as UTF-8' },
  ],
  [
    'a JSONL file in UTF-16',
    'jsonl',
    Buffer.concat([BOM_LE, Buffer.from('{}', 'utf16le')]),
    { message: 'the file is UTF-16: save it as UTF-8' },
  ],
  ['a JSONL line that is too long', 'jsonl', `{"id": "${LONG}"}\n{"id": 2}`, { row: 1, message: TOO_LONG }],
  [
    'a JSON file that is an object',
    'json',
    '{"id": 1}',
    { message: 'the file is no list of objects: it must begin with [' },
  ],
  ['an empty JSON file', 'json', ' \n', { message: 'the file is empty, and a list of objects is needed' }],
  [
    'a JSON list that is cut off',
    'json',
    '[{"id": 1}, {"id": ',
    { row: 2, message: 'ends within the list: it is cut off' },
  ],
  ['content after a JSON list', 'json', '[{"id": 1}] x', { message: 'the file has content after the list' }],
  [
    'a second JSON list',
    'json',
    '[{"id": 1}][{"id": 2}]',
    { message: 'the file has content after the list' },
  ],
  [
    'a comma too many in a JSON list',
    'json',
    '[{"id": 1}, ]',
    { row: 2, message: 'is missing: there is a comma without an object' },
  ],
  [
    'a comma at the beginning of a JSON list',
    'json',
    '[, {"id": 1}]',
    { row: 1, message: 'is missing: there is a comma without an object' },
  ],
  ['a JSON list of texts', 'json', '["a"]', { row: 1, message: 'is text, and a row is an object' }],
  ['null in a JSON list', 'json', '[null]', { row: 1, message: 'is null, and a row is an object' }],
  [
    'an unbalanced object in a JSON list',
    'json',
    '[{"id": 1]}]',
    { row: 1, message: 'has brackets that do not match' },
  ],
  [
    'an object of a JSON list that is too long',
    'json',
    `[{"id": "${LONG}"}, {"id": 2}]`,
    { row: 1, message: TOO_LONG },
  ],
  [
    'a Parquet file that is none',
    'parquet',
    'id,q\n1,a\nand more text',
    {
      message:
        'the file cannot be read as Parquet: it does not end as such a file does: is it csv, json or jsonl?',
    },
  ],
  [
    'an empty Parquet file',
    'parquet',
    '',
    { message: 'the file cannot be read as Parquet: it is too short' },
  ],
  [
    'a Parquet file that is cut off',
    'parquet',
    cut(parquet(['a', 'b'])),
    { message: expect.stringMatching(/^the file cannot be read as Parquet: /) as never },
  ],
  [
    'a Parquet page that was overwritten',
    'parquet',
    withByte(parquet(['a', 'b']), 5, 0xff),
    { message: expect.stringMatching(/^the file cannot be read as Parquet: /) as never },
  ],
  [
    'a Parquet integer that no double holds',
    'parquet',
    parquet([1n, 2n ** 60n]),
    { row: 2, column: 'id', message: INEXACT },
  ],
  [
    'a Parquet number without a JSON form',
    'parquet',
    parquet([1.5, Number.NaN]),
    { row: 2, column: 'id', message: 'holds NaN, which has no JSON form' },
  ],
  [
    'bytes in a Parquet column',
    'parquet',
    parquet([Uint8Array.of(0xff, 0xfe)], 'BYTE_ARRAY'),
    { row: 1, column: 'id', message: 'holds bytes, which have no JSON form' },
  ],
  [
    'a Parquet row that is too long',
    'parquet',
    parquet(['a', LONG]),
    { row: 2, column: 'id', message: TOO_LONG },
  ],
];

describe('a malformed data file', () => {
  test.each(MALFORMED)(
    'a malformed data file is a problem with its place: %s',
    async (_name, format, content, problem) => {
      const { problems } = await readAll(content, { format });
      expect(problems.map(({ line: _line, ...others }) => others)).toEqual([problem]);
      // The boundaries of chunks do not matter.
      if (format !== 'parquet') {
        const inPieces = typeof content === 'string' && content.length > 10_000 ? 60_000 : 1;
        expect((await readAll(content, { format }, inPieces)).problems).toEqual(problems);
      }
    },
  );

  test.each(['jsonl', 'json'] as const)('the rows around a malformed one are read (%s)', async (format) => {
    const objects = ['{"id": 1}', 'nope', '{"id": 3}'];
    const content = format === 'json' ? `[${objects.join(',')}]` : objects.join('\n');
    const { rows, problems } = await readAll(content, { format });
    expect(rows.map(({ row, values }) => [row, values])).toEqual([
      [1, { id: 1 }],
      [3, { id: 3 }],
    ]);
    expect(problems).toMatchObject([{ row: 2 }]);
  });

  test.each<[RowFormat, string]>([
    ['jsonl', '{"id": "a"}\n\nnope\n\n{"id": "b"}\n'],
    ['csv', 'id,name\n"a","of\ntwo lines"\nb\nc,d\n'],
  ])('rows and problems of text in lines have their line (%s)', async (format, content) => {
    const { rows, problems } = await readAll(content, { format });
    const lines = format === 'csv' ? [3, 5] : [1, 5];
    expect(rows.map(({ line }) => line)).toEqual(lines);
    expect(problems).toMatchObject([{ row: 2, line: format === 'csv' ? 4 : 3 }]);
  });

  test('the reason of damaged Parquet has no error of the decoder in it', async () => {
    const metadata = Uint8Array.from({ length: 64 }, (_each, index) => index);
    const file = Buffer.concat([
      Buffer.from('PAR1'),
      metadata,
      Buffer.from([64, 0, 0, 0]),
      Buffer.from('PAR1'),
    ]);
    expect((await readAll(file, { format: 'parquet' })).problems).toEqual([
      { message: 'the file cannot be read as Parquet: it is damaged' },
    ]);
  });

  test.each<[string, number[], RegExp]>([
    ['gzip', [0x1f, 0x8b, 8, 0, 1, 2], /unpack it/],
    ['a spreadsheet', [0x50, 0x4b, 3, 4, 1, 2], /save the table as CSV/],
  ])('a file that is %s in the place of a text is named as such', async (_name, bytes, message) => {
    for (const format of ['csv', 'jsonl', 'json'] as const) {
      const { problems } = await readAll(Uint8Array.from(bytes), { format });
      expect(problems).toEqual([{ message: expect.stringMatching(message) }]);
    }
  });

  test('any overwritten byte of a Parquet file gives rows or a problem, and never a failure', async () => {
    const file = parquet(Array.from({ length: 50 }, (_each, index) => `value ${index % 7}`));
    for (let at = 0; at < file.length; at += 1) {
      for (const value of [0x00, 0x7f, 0xff]) {
        const { rows, problems } = await readAll(withByte(file, at, value), { format: 'parquet' });
        expect(rows.length + problems.length).toBeGreaterThanOrEqual(problems.length === 0 ? 0 : 1);
        expect(rows.length).toBeLessThanOrEqual(50);
      }
    }
  });
});
