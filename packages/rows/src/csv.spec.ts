import type { RowDelimiter } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { readAll } from './testing/read-all.js';

const values = async (content: string | Uint8Array, delimiter?: RowDelimiter) => {
  const { rows, problems } = await readAll(content, { format: 'csv', delimiter });
  expect(problems).toEqual([]);
  return rows.map((row) => row.values);
};

test.each([
  ['commas', 'id,q\n1,a\n'],
  ['semicolons', 'id;q\n1;a\n'],
  ['tabs', 'id\tq\n1\ta\n'],
  ['bars', 'id|q\n1|a\n'],
  ['Windows line ends', 'id,q\r\n1,a\r\n'],
  ['line ends of old Macs', 'id,q\r1,a\r'],
  ['different line ends', 'id,q\r\n1,a\n'],
  ['no line end at its end', 'id,q\n1,a'],
  ['a byte order mark', '\uFEFFid,q\n1,a\n'],
  ['empty lines', '\nid,q\n\n1,a\n   \n\n'],
  ['quoted values', '"id","q"\n"1","a"\n'],
  ['columns without a name at its end', 'id,q,, \n1,a,,\n'],
  ['columns without a name at the end of its header alone', 'id,q,\n1,a\n'],
  ['a first line that names the delimiter', 'sep=;\r\nid;q\r\n1;a\r\n'],
])('a CSV file may have %s', async (_name, content) => {
  expect(await values(content)).toEqual([{ id: '1', q: 'a' }]);
});

test('quoted values of a CSV file hold delimiters, quotes and line ends, and every value is text', async () => {
  const content = 'id;"a,b"\n007;"one;\r\n""two"""\n1e3;\n';
  expect(await values(content)).toEqual([
    { id: '007', 'a,b': 'one;\r\n"two"' },
    { id: '1e3', 'a,b': '' },
  ]);
});

test('the delimiter of a CSV file is the authored one, else that of the header outside of quotes', async () => {
  expect(await values('a;b,c\n1;2,3\n')).toEqual([{ 'a;b': '1;2', c: '3' }]);
  expect(await values('a;b,c\n1;2,3\n', 'semicolon')).toEqual([{ a: '1', 'b,c': '2,3' }]);
  expect(await values('only\n1;2\n')).toEqual([{ only: '1;2' }]);
});

test('names of columns may be those of members that every object has', async () => {
  const [row] = await values('__proto__,constructor\n1,2\n');
  expect(Object.entries(row ?? {})).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});
