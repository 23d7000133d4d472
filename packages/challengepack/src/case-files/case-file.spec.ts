import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { manifestOf } from '../publish/manifest.js';
import { openPack, type PackReading, readPack } from '../read/read-pack.js';
import type { CaseText } from './case-file.js';
import { readCaseFile } from './read-case-file.js';
import type { Row, RowProblem } from './rows.js';
import { sampledRows } from './sample.js';

const TEMPLATES =
  "case_key: '{{row.id}}', challenge_key: c, payload: {q: '{{row.q}}'}, expectations: [{key: a, kind: text, value: '{{row.a}}'}]";

const packWith = (set: string, extra: { mode?: string; instructions?: string } = {}) => `
pack: {slug: rows, name: Rows, family: tests}
version:
  number: 1
  execution_mode: ${extra.mode ?? 'prompt_eval'}
  evaluation_spec:
    name: rows
    version_number: 1
    judge_mode: deterministic
    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.a}]
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges: [{key: c, title: C, category: c, difficulty: easy, instructions: '${extra.instructions ?? 'Solve {{q}}.'}'}]
input_sets:
  - {key: all, name: All, ${set}}
`;
const from = (settings: string) => packWith(`cases_from: {path: a.jsonl, ${settings}}`);

interface Read {
  reading: PackReading;
  cases: CaseText[];
}

async function read(text: string, rows: object[], problems: RowProblem[] = []): Promise<Read> {
  const pack = openPack(text);
  const cases: CaseText[] = [];
  const all = rows.map((values, index) => ({ row: index + 1, values }) as Row);
  async function* batches() {
    for (let at = 0; at < all.length; at += 3) yield { rows: all.slice(at, at + 3), problems: [] };
    yield { rows: [], problems };
  }
  for (const file of pack.files) await readCaseFile(file, batches, (batch) => void cases.push(...batch));
  return { reading: pack.end(), cases };
}

const findings = ({ reading }: Read) =>
  reading.problems.map(({ code, field, row, column_name }) => [code, field, row, column_name]);
const at = (field = '') => `input_sets[0].cases_from${field}`;
const ROW = { id: 'k', q: 'x', a: 'y' };

describe('a data file of cases', () => {
  test('a text that is one placeholder has the value of the column, and others are filled in as text', async () => {
    const payload =
      "{n: '{{row.n}}', text: 'n={{ row.n }} of {{row_number}}', list: ['{{row.deep.list.1}}'], whole: '{{row.deep}}'}";
    const text = from(
      `case_key: 'k{{row_number}}', challenge_key: c, payload: ${payload.replace('{n', '{q: q, n')}, expectations: [{key: a, kind: text, value: '{{row.a b}}'}]`,
    );
    const { cases, reading } = await read(text, [{ n: 1.5, deep: { list: [null, true] }, 'a b': 'yes' }]);
    expect(reading.problems).toEqual([]);
    expect(cases.map(({ document }) => JSON.parse(document))).toMatchObject([
      {
        case_key: 'k1',
        payload: { n: 1.5, text: 'n=1.5 of 1', list: [true], whole: { list: [null, true] } },
        expectations: [{ value: 'yes' }],
      },
    ]);
  });

  test('the solution of a row is filled from its columns once, and keeps the templates of the case', async () => {
    const solution =
      "{files: [{path: 'a.py', content: '{{row.code}} # {{case.payload.q}} {{x}}'}], answer_from: case.expectations.a}";
    const text = from(`${TEMPLATES}, solution: ${solution}`).replace('prompt_eval', 'native');
    const { cases, reading } = await read(text, [{ ...ROW, code: 'print("{{row.a}}")' }]);
    expect(reading.problems).toEqual([]);
    expect(cases.map(({ document }) => JSON.parse(document).solution)).toEqual([
      {
        files: [{ path: 'a.py', content: 'print("{{row.a}}") # {{case.payload.q}} {{x}}' }],
        answer_from: 'case.expectations.a',
      },
    ]);
  });

  test('what the solutions of rows lack is one problem, which names the first cases', async () => {
    const text = from(`${TEMPLATES}, solution: {answer_from: case.expectations.b}`);
    const { reading } = await read(
      text,
      Array.from({ length: 9 }, (_, index) => ({ ...ROW, id: `k${index}`, q: `q${index}`, a: `a${index}` })),
    );
    expect(reading.problems).toMatchObject([
      {
        code: 'unresolved_placeholder',
        field: at('.solution.answer_from'),
        message: 'case.expectations.b has no value in all/k0, all/k1, all/k2, all/k3, all/k4 and 4 more',
      },
    ]);
    const faulty = from(`${TEMPLATES}, solution: {steps: [{answer: a}], run: '{{row.q}}'}`).replace(
      'prompt_eval',
      'native',
    );
    expect(findings(await read(faulty, [ROW]))).toEqual([
      ['contradiction', at('.solution.run'), undefined, undefined],
    ]);
  });

  test('no column is visible unless it is named', async () => {
    const { cases } = await read(from(TEMPLATES), [{ ...ROW, secret: 'LEAK' }]);
    expect(JSON.stringify(cases)).not.toContain('LEAK');
    const without = from("case_key: '{{row.id}}', challenge_key: c")
      .replaceAll('{{q}}', 'it')
      .replace('case.expectations.a', 'literal:y');
    expect((await read(without, [ROW])).cases).toMatchObject([{ kind: 'payload', document: '{}' }]);
  });

  test.each<[string, object[], unknown[]]>([
    [
      'a column that a row lacks',
      [ROW, { id: 'l', q: 'x' }],
      ['unresolved_placeholder', at('.expectations[0].value'), 2, 'a'],
    ],
    ['a key that repeats', [ROW, ROW], ['not_unique', at('.case_key'), 2, 'id']],
    ['a key that is blank', [{ ...ROW, id: ' ' }], ['required', at('.case_key'), 1, 'id']],
    ['a key that is too long', [{ ...ROW, id: 'k'.repeat(129) }], ['too_long', at('.case_key'), 1, 'id']],
    ['a key that is null', [{ ...ROW, id: null }], ['type_mismatch', at('.case_key'), 1, 'id']],
    ['a key with the character U+0000', [{ ...ROW, id: 'a\0' }], ['malformed', at('.case_key'), 1, 'id']],
    ['half of a surrogate pair', [{ ...ROW, id: '\ud800' }], ['not_json', at('.case_key'), 1, 'id']],
    ['a file without rows', [], ['required', at(), undefined, undefined]],
  ])('a problem of a row names the template, the row and the column: %s', async (_name, rows, finding) => {
    expect(findings(await read(from(TEMPLATES), rows))).toEqual([finding]);
  });

  test('each row may name a challenge, and an unknown one is reported', async () => {
    const text = from(TEMPLATES.replace('challenge_key: c', "challenge_key: '{{row.c}}'"));
    expect(
      findings(
        await read(text, [
          { ...ROW, c: 'c' },
          { ...ROW, id: 'l', c: 'd' },
        ]),
      ),
    ).toEqual([['unknown_reference', at('.challenge_key'), 2, 'c']]);
  });

  test('validators and instructions are checked over the rows of all batches', async () => {
    const rows = Array.from({ length: 10 }, (_each, index) => ({ ...ROW, id: `k${index}`, q: `x${index}` }));
    const text = from(TEMPLATES.replace('{q:', '{other:').replace('key: a,', 'key: b,'));
    const { reading } = await read(text, rows);
    expect(reading.problems.map(({ code, message }) => [code, message])).toEqual([
      [
        'missing_expectation',
        expect.stringMatching(/^no case has case\.expectations\.a: all\/k0 \(row 1\),.* and 5 more/),
      ],
      ['unresolved_placeholder', '{{q}} has no value in all/k0, all/k1, all/k2, all/k3, all/k4, and more'],
    ]);
  });

  test('an unreadable row is reported at its place, and cases are unknown then', async () => {
    const { reading, cases } = await read(
      from(TEMPLATES),
      [ROW],
      [{ row: 2, column: 'q', message: 'is wrong' }],
    );
    expect(reading.problems).toMatchObject([
      { code: 'invalid_data', field: at(), row: 2, column_name: 'q', message: 'row 2, column q: is wrong' },
    ]);
    expect(reading.summary).toMatchObject({ cases: null, digest: null });
    expect(cases).toHaveLength(1);
  });

  test.each<[string, string, unknown[]]>([
    [
      'both of cases and a file',
      packWith(
        `cases_from: {path: a.csv, ${TEMPLATES}}, cases: [{challenge_key: c, case_key: k, payload: {q: x}, expectations: [{key: a, kind: text, value: y}]}]`,
      ),
      ['exactly_one_of', at()],
    ],
    ['a file without a path', packWith(`cases_from: {format: csv, ${TEMPLATES}}`), ['required', at('.path')]],
    [
      'a path without a known ending',
      packWith(`cases_from: {path: data, ${TEMPLATES}}`),
      ['required', at('.format')],
    ],
    [
      'a path that climbs',
      packWith(`cases_from: {path: ../a.csv, ${TEMPLATES}}`),
      ['unsafe_path', at('.path')],
    ],
    [
      'an unknown format',
      packWith(`cases_from: {path: a.xlsx, format: xlsx, ${TEMPLATES}}`),
      ['unknown_value', at('.format')],
    ],
    ['a delimiter of JSONL', from(`delimiter: comma, ${TEMPLATES}`), ['value_ignored', at('.delimiter')]],
    [
      'a placeholder that is no column',
      from(TEMPLATES.replace('row.q', 'q')),
      ['unknown_placeholder', at('.payload["q"]')],
    ],
    [
      'a placeholder that is not closed',
      from(TEMPLATES.replace('row.q}}', 'row.q}')),
      ['unresolved_placeholder', at('.payload["q"]')],
    ],
    [
      'an empty column',
      from(TEMPLATES.replace('row.q', 'row..q')),
      ['invalid_placeholder', at('.payload["q"]')],
    ],
    ['no case_key', from('challenge_key: c'), ['required', at('.case_key')]],
    [
      'a member of an archive',
      from(`inputs: [{key: i, kind: file, artifact_key: a, path: b}], ${TEMPLATES}`),
      ['not_implemented', at('.inputs[0].path')],
    ],
    [
      'a conversation',
      packWith(`cases_from: {path: a.csv, ${TEMPLATES}}`, { mode: 'multi_turn' }),
      ['mode_conflict', at()],
    ],
  ])('settings of a data file are checked without its rows: %s', (_name, text, finding) => {
    const { problems } = readPack(text);
    expect(problems.map(({ code, field }) => [code, field])).toEqual([finding]);
  });

  test('a file that does not exist is reported, and what depends on its cases is not', () => {
    const { problems, summary } = readPack(from(TEMPLATES), { fileExists: () => false });
    expect(problems.map(({ code, field }) => [code, field])).toEqual([['artifact_not_found', at('.path')]]);
    expect(summary.cases).toBeNull();
    expect(readPack(from(TEMPLATES)).problems).toEqual([]);
  });

  test('many wrong rows are counted, and only the first are listed', async () => {
    const without = Array.from({ length: 2_500 }, (_each, index) => ({ id: `k${index}`, q: 'x' }));
    const rows = [...without.slice(0, 1_200), ROW, ...without.slice(1_200)];
    const { reading } = await read(from(TEMPLATES), rows);
    expect(reading.problems).toHaveLength(1_000);
    expect(reading.problems.at(-1)).toMatchObject({ row: 1_000 });
    expect(reading.omitted).toBe(1_500);
    expect(reading.valid).toBe(false);
  });

  test('a column that no row has is one problem, which shows the columns of the file', async () => {
    const rows = Array.from({ length: 2_500 }, (_each, index) => ({ id: `k${index}`, q: 'x', 'b c': 1 }));
    const { reading, cases } = await read(from(TEMPLATES), rows);
    const field = at('.expectations[0].value');
    expect(reading.problems).toEqual([
      expect.objectContaining({
        code: 'unresolved_placeholder',
        field,
        column_name: 'a',
        message: 'column a: no row has such a value; the columns are "id", "q", "b c"',
      }),
    ]);
    expect(reading).toMatchObject({ omitted: 0, valid: false, summary: { digest: null } });
    expect(cases).toEqual([]);
  });

  test('a column that the rows leave out is shown where no row has the named one', async () => {
    const pack = openPack(from(TEMPLATES));
    async function* batches() {
      yield { rows: [], problems: [], columns: ['id', 'q', 'A'] };
      yield { rows: [{ row: 1, values: { id: 'k', q: 'x' } }], problems: [] };
    }
    for (const file of pack.files) await readCaseFile(file, batches, () => {});
    const message = 'column a: no row has such a value; the file has "A", which differs in blanks or case';
    expect(pack.end().problems.map((each) => each.message)).toEqual([message]);
  });

  test('a column that some row has is missing from the others alone', async () => {
    const { reading } = await read(from(TEMPLATES), [
      { id: 'k', a: 'y' },
      { id: 'l', q: 'x' },
      { id: 'm', q: 'x' },
    ]);
    expect(reading.problems.map(({ row, column_name }) => [row, column_name])).toEqual([
      [1, 'q'],
      [2, 'a'],
      [3, 'a'],
    ]);
  });

  test.each(['A', 'a ', ' A'])('a column that differs in blanks or case is shown: %j', async (name) => {
    const { reading } = await read(from(TEMPLATES), [{ id: 'k', q: 'x', [name]: 'y' }]);
    const message = `column a: no row has such a value; the file has "${name}", which differs in blanks or case`;
    expect(reading.problems.map((each) => each.message)).toEqual([message]);
  });

  test('a template that would repeat a large value is refused', async () => {
    const text = from(TEMPLATES.replace("'{{row.q}}'", `'${'{{row.q}}'.repeat(50)}'`));
    expect(findings(await read(text, [{ ...ROW, q: 'x'.repeat(100_000) }]))).toEqual([
      ['too_long', at(), 1, undefined],
    ]);
  });
});

describe('a part of the rows', () => {
  const rows = Array.from({ length: 20 }, (_each, index) => ({
    id: `k${index + 1}`,
    q: `x${index}`,
    a: `y${index}`,
  }));
  const keys = async (settings: string) =>
    (await read(from(`${TEMPLATES}, ${settings}`), rows)).cases.map(({ case_key }) => case_key);

  test('a limit takes the first rows, and a sample some in the order of the file', async () => {
    expect(await keys('limit: 4')).toEqual(['k1', 'k2', 'k3', 'k4']);
    expect(await keys('sample: {n: 5, seed: 7}')).toEqual(['k3', 'k4', 'k7', 'k12', 'k20']);
    expect(await keys('sample: {n: 5, seed: 7}, limit: 2')).toEqual(['k3', 'k4']);
    expect(await keys('sample: {n: 50}')).toHaveLength(20);
  });

  test('rows after the limit are not read', async () => {
    const { reading } = await read(from(`${TEMPLATES}, limit: 20`), rows, [{ row: 21, message: 'is wrong' }]);
    expect(reading.problems).toEqual([]);
  });

  test('a larger sample has the rows of a smaller one, and every sample its size', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.nat(), (count, n, seed) => {
        const small = sampledRows(count, { n: n + 1, seed });
        expect(small.size).toBe(Math.min(count, n + 1));
        const large = sampledRows(count, { n: n + 2, seed });
        expect([...small].every((row) => large.has(row) && row >= 1 && row <= count)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test('the manifest of a data file has its settings, its format and its rows, and no cases', async () => {
  const { reading } = await read(from(TEMPLATES), [ROW]);
  if (!reading.valid) throw new Error('the pack is not valid');
  const [set] = manifestOf(reading.pack).input_sets;
  expect(set).not.toHaveProperty('cases');
  expect(set?.cases_from).toEqual({
    path: 'a.jsonl',
    format: 'jsonl',
    case_key: '{{row.id}}',
    challenge_key: 'c',
    payload: { q: '{{row.q}}' },
    expectations: [{ key: 'a', kind: 'text', value: '{{row.a}}' }],
    rows: { count: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});
