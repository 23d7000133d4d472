import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTable } from './table-data.js';

describe('a table', () => {
  test.each([
    ['day,amount\n1,"2,5"\n', ['day', 'amount'], [['1', '2,5']]],
    ['a\tb\r\n1\t2', ['a', 'b'], [['1', '2']]],
    ['a,b\n"a ""quoted"" one","two\nlines"', ['a', 'b'], [['a "quoted" one', 'two\nlines']]],
    ['a,b\n1', ['a', 'b'], [['1', '']]],
    [
      [
        { a: 1, b: null },
        { a: 'x', c: [2] },
      ],
      ['a', 'b', 'c'],
      [
        ['1', '', ''],
        ['x', '', '[2]'],
      ],
    ],
    [
      [
        ['a', 'b'],
        [1, true],
      ],
      ['a', 'b'],
      [['1', 'true']],
    ],
  ])('a table is read from %j', (value, columns, rows) => {
    expect(readTable(value)).toEqual({ columns, rows, omitted: 0 });
  });

  test.each([[''], [[]], [[1, 2]], [{}], [null], [5]])('the value %j is no table', (value) => {
    expect(readTable(value)).toBeUndefined();
  });

  test('a table of many rows shows the first two hundred and counts the rest', () => {
    const table = readTable(Array.from({ length: 500 }, (_, at) => ({ at })));
    expect(table?.rows).toHaveLength(200);
    expect(table?.omitted).toBe(300);
  });

  test('a table of cells that are quoted where necessary is read back unchanged', () => {
    const cell = fc.string().map((text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' '));
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = [['a', 'b'], ...rows].map((row) => row.map(quoted).join(',')).join('\n');
        expect(readTable(text)?.rows).toEqual(rows);
      }),
    );
  });
});
