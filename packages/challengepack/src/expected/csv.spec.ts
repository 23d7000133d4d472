import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCsv } from './csv.js';

const read = (text: string, delimiter = ',') => readCsv(text, delimiter);

describe('readCsv', () => {
  test.each([
    [
      'a,b\r\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,b', [['a', 'b']]],
    ['a,\n', [['a', '']]],
    [',', [['', '']]],
    ['a\n\n\r\nb', [['a'], ['b']]],
    ['""\n', [['']]],
    ['"a\r\nb","c,""d"""\n', [['a\r\nb', 'c,"d"']]],
    ['a\rb', [['a\rb']]],
    ['', []],
  ])('the CSV text %j is parsed into rows and fields', (text, rows) => {
    expect(read(text)).toEqual(rows);
  });

  test.each(['"a', '"a"b', 'a"b', 'a,"b', '"', '"a" ,b', '"""'])('the quotes of %j are wrong', (text) => {
    expect(read(text)).toBeNull();
  });

  test('any one character may be the delimiter', () => {
    expect(read('a\tb;c', '\t')).toEqual([['a', 'b;c']]);
    expect(read('a🦊b', '🦊')).toEqual([['a', 'b']]);
  });

  test('every table that was written with quotes is read back', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') });
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
        expect(read(text)).toEqual(rows);
      }),
    );
  });
});
