import { type Case, openPack, readCaseFile } from '@agentclash/challengepack';
import { readRows } from '@agentclash/rows';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ImportError } from '../framework/import-error.js';
import type { ImportOptions } from '../framework/importer.js';
import { importPack } from '../import-pack.js';
import { solvedBy } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

type TableKind = 'csv' | 'jsonl';

async function imported(kind: TableKind, text: string | Uint8Array, options: ImportOptions = {}) {
  const file = `data.${kind}`;
  const result = await importPack(kind, memorySource({ [file]: text }, file), options);
  const opened = openPack(result.files.get('pack.yaml') ?? '');
  const cases: Case[] = [];
  for (const each of opened.files) {
    const bytes = Buffer.from(result.files.get(file) ?? '');
    const source = {
      bytes: bytes.length,
      stream: async function* () {
        yield bytes;
      },
      slice: async () => new ArrayBuffer(),
    };
    const open = () => readRows(source, { format: kind, columns: each.columns });
    await readCaseFile(each, open, (batch) => {
      for (const { kind: _, position: __, document, ...keys } of batch)
        cases.push({ ...keys, ...JSON.parse(document) });
    });
  }
  const { pack } = opened.end();
  if (pack === undefined) throw new Error('the pack is not valid');
  return { ...result, pack, cases: [...cases, ...(pack.input_sets[0]?.cases ?? [])] };
}

async function problemsOf(kind: TableKind, text: string | Uint8Array, options: ImportOptions = {}) {
  const error = await imported(kind, text, options).catch((caught: unknown) => caught);
  if (!(error instanceof ImportError)) throw new Error(`no import error: ${String(error)}`);
  return error.problems;
}

describe('a table as a starter pack', () => {
  test('the rows of a CSV file become cases whose expected outputs no agent sees', async () => {
    const { cases, pack, report } = await imported(
      'csv',
      'id,question,answer,topic\na,1+1?,2,sums\nb,2+2?,4,sums\n',
    );
    expect(solvedBy({ pack, cases })).toEqual(['2', '4']);
    expect(cases.map(({ case_key, payload, expectations }) => ({ case_key, payload, expectations }))).toEqual(
      [
        {
          case_key: 'a',
          payload: { question: '1+1?' },
          expectations: [{ key: 'answer', kind: 'text', value: '2' }],
        },
        {
          case_key: 'b',
          payload: { question: '2+2?' },
          expectations: [{ key: 'answer', kind: 'text', value: '4' }],
        },
      ],
    );
    expect(pack.version.evaluation_spec.validators).toEqual([
      expect.objectContaining({ type: 'numeric_match', config: { extract: 'last' } }),
    ]);
    expect(report.items.map(({ key, fate }) => [key, fate])).toEqual([
      ['id', 'carried'],
      ['question', 'carried'],
      ['answer', 'carried'],
      ['topic', 'dropped'],
    ]);
  });

  test('JSON lines with texts as expected outputs are graded by a normalised match', async () => {
    const { cases, pack, report } = await imported(
      'jsonl',
      '\uFEFF{"prompt": "Peru?", "label": "Lima"}\r\n\r\n{"prompt": "Malta?", "label": "Valletta"}\r\n',
    );
    expect(cases.map(({ case_key }) => case_key)).toEqual(['row-1', 'row-2']);
    expect(pack.version.evaluation_spec.validators?.[0]?.type).toBe('normalized_match');
    expect(report.items.every(({ fate }) => fate === 'carried')).toBe(true);
  });

  test.each<[string, string[], boolean]>([
    ['marks of sentences and words', ['Lima.', "St. John's", 'Smith, Jane', 'well-known', '"No"'], true],
    ['names that end with signs', ['Java', 'C++'], false],
    ['a sign alone', ['plus', '-'], false],
    ['a question mark alone', ['full stop', '?'], false],
    ['a point in a number', ['none', '3.5 km'], false],
    ['points in an abbreviation', ['U.S.', 'France'], false],
    ['two outputs that differ by punctuation alone', ['re-sign', 'resign'], false],
    ['the same output twice', ['Lima.', 'lima.'], true],
  ])(
    'punctuation is ignored only where no expected output needs it: %s',
    async (_name, outputs, isIgnored) => {
      const rows = outputs.map((expected) => JSON.stringify({ prompt: 'x?', expected }));
      const { pack, report } = await imported('jsonl', rows.join('\n'));
      const pipeline = [
        'trim',
        'lowercase',
        'collapse_whitespace',
        ...(isIgnored ? ['strip_punctuation'] : []),
      ];
      expect(pack.version.evaluation_spec.validators?.[0]?.config).toEqual({ pipeline });
      const reason = isIgnored ? 'and punctuation are ignored' : 'punctuation is part of some';
      expect(report.items.map((item) => item.reason)).toContainEqual(expect.stringContaining(reason));
    },
  );

  test('options choose the columns, the visible columns and the grader', async () => {
    const { cases, pack } = await imported('csv', 'A;B;C;D\nq;x "y";a;k\n'.replace('x "y"', '"x ""y"""'), {
      question: 'A',
      answer: 'C',
      key: 'D',
      show: 'B',
      grader: 'exact',
    });
    expect(cases[0]).toMatchObject({ case_key: 'k', payload: { question: 'q', B: 'x "y"' } });
    expect(pack.version.evaluation_spec.validators?.[0]?.type).toBe('exact_match');
    expect(pack.challenges[0]?.instructions).toContain('{{B}}');
  });

  test('the file itself is the data of the pack, unless templates cannot name its columns', async () => {
    const text = 'id,My question,answer\na,1+1?,2\n';
    const fromFile = await imported('csv', text, { question: 'My question' });
    expect(fromFile.pack.input_sets[0]?.cases_from).toMatchObject({ path: 'data.csv', rows: { count: 1 } });
    expect(Buffer.from(fromFile.files.get('data.csv') ?? '').toString()).toBe(text);
    const inline = await imported('csv', text.replace('My question', 'q.{1}'), { question: 'q.{1}' });
    expect(inline.pack.input_sets[0]?.cases_from).toBeUndefined();
    expect([...inline.files.keys()]).toEqual(['pack.yaml', 'README.md']);
    expect(inline.cases.map(({ payload }) => payload)).toEqual(fromFile.cases.map(({ payload }) => payload));
  });

  test('two columns of any names are question and answer', async () => {
    const { cases } = await imported('csv', 'Frage\tAntwort\nWo?\thier\n');
    expect(cases[0]?.payload).toEqual({ question: 'Wo?' });
  });

  test.each([
    ['columns without a name at the end', 'id,question,answer,,\na,q,b,,\n'],
    ['a first line that names the delimiter', 'sep=;\r\nid;question;answer\r\na;q;b\r\n'],
    ['lines of blanks', '\uFEFFid,question,answer\n  \n\na,q,b\n'],
    ['blanks around names', 'id, question , answer\na,q,b\n'],
  ])('a table is read as cases from files are: %s', async (_name, text) => {
    const { cases } = await imported('csv', text);
    expect(cases).toMatchObject([
      { case_key: 'a', payload: { question: 'q' }, expectations: [{ key: 'answer', value: 'b' }] },
    ]);
  });

  test('long expected outputs are imported with a warning about the grader', async () => {
    const { report } = await imported('jsonl', JSON.stringify({ question: 'q', answer: 'a '.repeat(100) }));
    expect(report.warnings).toEqual([expect.stringContaining('1 of 1 expected outputs are long')]);
  });
});

const NUL = 'question,answer\na,b\n\0,c\n';
const LATIN = Uint8Array.from([...Buffer.from('question,answer\nM'), 0xfc, ...Buffer.from('nchen,a\n')]);

describe('a malformed table', () => {
  test.each<[string, TableKind, string | Uint8Array, object]>([
    ['ragged rows', 'csv', 'question,answer\na\nb,c\nd,e,f\n', { row: 1, line: 2 }],
    [
      'an open quote',
      'csv',
      'question,answer\n"a,b\nc,d\n',
      { row: 1, message: 'has a quote that is not closed before the end of the file' },
    ],
    ['a quote inside of a cell', 'csv', 'question,answer\na"b,c\n', { line: 2 }],
    ['text after a closing quote', 'csv', 'question,answer\n"a"b,c\n', { line: 2 }],
    [
      'a NUL character',
      'csv',
      NUL,
      { row: 2, line: 3, field: 'question', message: 'holds the character U+0000' },
    ],
    [
      'bytes that are no UTF-8',
      'csv',
      LATIN,
      { row: 1, field: 'question', message: 'is not UTF-8: save the file as UTF-8' },
    ],
    [
      'a repeated column',
      'csv',
      'question,question\na,b\n',
      { message: expect.stringMatching(/^column 2 of/) },
    ],
    ['a column that is repeated with blanks', 'csv', 'question, question\na,b\n', {}],
    [
      'a column without a name',
      'csv',
      'question,,answer\na,b,c\n',
      { message: expect.stringMatching(/^column 2 of/) },
    ],
    ['no rows', 'csv', 'question,answer\n', { message: 'the file has no rows' }],
    ['nothing', 'csv', '', { message: expect.stringMatching(/^the file is empty/) }],
    ['a spreadsheet', 'csv', 'PK\x03\x04', { message: expect.stringContaining('save the table as CSV') }],
    [
      'a number that no double holds',
      'jsonl',
      '\n{"question":9007199254740993}',
      { row: 1, line: 2, field: 'question' },
    ],
    [
      'a key that is too long',
      'csv',
      `id,question,answer\n${'k'.repeat(129)},a,b\n`,
      { row: 1, field: 'id' },
    ],
    ['a key with NUL', 'jsonl', '{"id":"\\u0000","question":1,"answer":2}', { row: 1, field: 'id' }],
    ['an empty answer', 'csv', 'question,answer\na,\n', { row: 1, field: 'answer' }],
    ['a repeated key', 'csv', 'id,question,answer\n1,a,b\n1,c,d\n', { row: 2, field: 'id' }],
    ['an empty key', 'csv', 'id,question,answer\n,a,b\n', { row: 1, field: 'id' }],
    [
      'a repeated key of JSON',
      'jsonl',
      '{"question":1,"answer":2}\n{"question":1,"answer":2,"question":{"a":"\\"a\\": 1"}}\n',
      { row: 2, line: 2, field: 'question', message: 'is there twice in one object' },
    ],
    [
      'a repeated key inside',
      'jsonl',
      '{"question":{"a":1,"b":[{"a":1}],"\\u0061":2},"answer":2}\n',
      { row: 1, line: 1, field: 'a' },
    ],
    ['a line that is no JSON', 'jsonl', '{"question":1,"answer":2}\n{"question":\n', { row: 2, line: 2 }],
    [
      'a line that is no object',
      'jsonl',
      '\n[1]\n',
      { row: 1, line: 2, message: 'is a list, and a row is an object' },
    ],
    [
      'a row without a question',
      'jsonl',
      '{"question":1,"answer":2}\n{"answer":2}',
      { row: 2, field: 'question' },
    ],
    [
      'a row without an answer',
      'jsonl',
      '{"question":1,"answer":2}\n{"question":2}',
      { row: 2, field: 'answer' },
    ],
  ])('%s is a problem with its location', async (_name, kind, text, location) => {
    const [problem] = await problemsOf(kind, text);
    expect(problem).toMatchObject({ file: `data.${kind}`, ...location });
  });

  test('a column that an option names must exist, and the answer is never shown', async () => {
    const text = 'question,answer\na,b\n';
    expect(await problemsOf('csv', text, { answer: 'gold' })).toMatchObject([{ field: 'gold' }]);
    expect(await problemsOf('csv', text, { show: 'answer' })).toMatchObject([{ field: 'answer' }]);
  });

  test('arbitrary bytes and lines are imported or end with a problem', async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('"', ',', ';', '\n', '\r\n', '\uFEFF', '{{x}}', '__proto__'),
    );
    const line = fc.oneof(
      fc.json(),
      fc.dictionary(fc.string(), fc.jsonValue()).map((row) => JSON.stringify(row)),
    );
    const tables = fc.oneof(
      fc.uint8Array().map((bytes): [TableKind, string | Uint8Array] => ['csv', bytes]),
      fc.array(cell).map((cells): [TableKind, string] => ['csv', `question,answer\n${cells.join('')}`]),
      fc.array(line).map((lines): [TableKind, string] => ['jsonl', lines.join('\n')]),
    );
    await fc.assert(
      fc.asyncProperty(tables, async ([kind, content]) => {
        const source = memorySource({ 'data.x': content }, 'data.x');
        const error = await importPack(kind, source).then(
          () => undefined,
          (caught: unknown) => caught,
        );
        expect(error === undefined || error instanceof ImportError).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
