import { type ZipEntry, zipOf } from '@agentclash/archives/fixture';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ImportError } from '../framework/import-error.js';
import { importPack } from '../import-pack.js';
import { imported, importProblems, passes, solvedBy } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const fileOf = (name: string, content: string | Uint8Array, more: Record<string, string> = {}) =>
  memorySource({ [name]: content, ...more }, name);
const jsonl = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

const HEADER = {
  version: 2,
  status: 'success',
  eval: {
    task: 'lib/capitals',
    scorers: [{ name: 'includes', options: { ignore_case: false } }, { name: 'own' }],
  },
  plan: { steps: [{ solver: 'generate' }] },
  results: { total_samples: 2 },
};
const LOGGED = [
  {
    id: 'peru',
    epoch: 1,
    input: 'Capital of Peru?',
    target: 'Lima',
    scores: { includes: { value: 'C' } },
    messages: [],
  },
  {
    id: 'malta',
    epoch: 1,
    input: [{ role: 'user', content: 'attachment://4f2a' }],
    target: ['Valletta', 'Il-Belt'],
    attachments: { '4f2a': 'Capital of Malta?' },
    output: { completion: 'Valletta' },
  },
];
const evalLog = (entries: readonly ZipEntry[]) => fileOf('run.eval', zipOf(entries));
const sampleEntry = (sample: { id: string; epoch: number }): ZipEntry => ({
  name: `samples/${sample.id}_epoch_${sample.epoch}.json`,
  content: JSON.stringify(sample),
});

describe('an import of a data set of Inspect', () => {
  test('the samples of JSON lines become cases whose targets no agent sees', async () => {
    const rows = jsonl(
      { id: 7, input: 'Capital of Peru?', target: 'Lima', metadata: { level: 1 } },
      { input: 'Capital of Malta?', target: ['Valletta', 'Il-Belt'], setup: 'rm -rf /' },
    );
    const { cases, pack, fates } = await imported('inspect', fileOf('capitals.jsonl', rows));
    expect(cases.map(({ case_key, payload }) => [case_key, payload])).toEqual([
      ['7', { prompt: 'Capital of Peru?' }],
      ['sample-2', { prompt: 'Capital of Malta?' }],
    ]);
    expect(pack.version.execution_mode).toBe('prompt_eval');
    expect(['Il-Belt', 'it is valletta', 'Mdina'].map((text) => passes(cases[1], text))).toEqual([
      true,
      true,
      false,
    ]);
    expect(fates).toEqual([
      'changed scorer',
      'carried id',
      'carried input',
      'carried target',
      'dropped metadata',
      'dropped setup',
    ]);
  });

  test('repeated ids are reported as changed, and not as carried', async () => {
    const rows = jsonl(
      { id: 'a', input: 'x', target: 'y' },
      { id: 'a', input: 'z', target: 'y' },
      { id: 'b', input: 'z', target: 'y' },
    );
    const { cases, report, fates } = await imported('inspect', fileOf('twice.jsonl', rows));
    expect(cases.map(({ case_key }) => case_key)).toEqual(['a', 'a-2', 'b']);
    expect(fates.filter((fate) => fate.endsWith(' id'))).toEqual(['changed id']);
    expect(report.items).toContainEqual(
      expect.objectContaining({ key: 'id', reason: 'the id "a" is repeated: this sample is the case a-2' }),
    );
  });

  test('choices are shown with letters, and the letter after ANSWER decides', async () => {
    const csv =
      'input,target,choices\nLargest?,B,"[""Mars"", ""Jupiter""]"\nSmallest?,Mercury,"[""Venus"", ""Mercury""]"\n';
    const { cases, pack } = await imported('inspect', fileOf('planets.csv', csv));
    expect(solvedBy({ pack, cases })).toEqual([undefined, undefined]);
    expect(cases[0]?.payload.prompt).toContain('Largest?\n\nA) Mars\nB) Jupiter\n');
    const outputs = ['ANSWER: B', 'It is big.\nAnswer: b.', 'ANSWER: A', 'B', 'ANSWER: BA'];
    expect(outputs.map((output) => passes(cases[0], output))).toEqual([true, true, false, false, false]);
    expect(passes(cases[1], 'ANSWER: B')).toBe(true);
  });

  test.each(['includes', 'exact', 'match', 'choice'])(
    'the solutions of an import graded by %s pass it, where there are any',
    async (grader) => {
      const samples = [
        { input: 'Largest?', target: 'B', choices: ['Mars', 'Jupiter'] },
        { input: 'Smallest?', target: 'A', choices: ['Mercury', 'Venus'] },
      ];
      const one = await imported('inspect', fileOf('planets.jsonl', jsonl(...samples)), { grader });
      const solved = solvedBy(one);
      expect(one.cases.map((each, index) => passes(each, solved[index] ?? ''))).toEqual([true, true]);
      const two = jsonl({ input: 'Which?', target: ['A', 'B'], choices: ['Mars', 'Jupiter'] });
      const several = await imported('inspect', fileOf('planets.jsonl', two), { grader });
      const [output] = solvedBy(several);
      expect(output === undefined).toBe(grader !== 'includes');
      if (output !== undefined) expect(passes(several.cases[0], output)).toBe(true);
    },
  );

  test('files of a sample are staged: inline, as data URLs and from beside the data set', async () => {
    const files = {
      'a.txt': 'inline',
      'b/c.txt': 'data:text/plain;base64,aMOp',
      'd.txt': 'files/d.txt',
      'e.txt': 'https://x.org/e',
    };
    const source = fileOf('set.json', JSON.stringify([{ input: 'Read.', target: 'x', files }]), {
      'files/d.txt': 'beside',
    });
    const { cases, pack, fates } = await imported('inspect', source);
    expect(pack.version.execution_mode).toBe('native');
    expect(cases[0]?.payload.workspace_files).toEqual([
      { path: 'a.txt', content: 'inline' },
      { path: 'b/c.txt', content: 'hé' },
      { path: 'd.txt', content: 'beside' },
    ]);
    expect(fates).toContain('dropped files.e.txt');
  });

  test.each([
    ['../csv/ok.csv', 'outside of the folder'],
    ['sub/../../ok data.csv', 'outside of the folder'],
    ['/etc/passwd', 'outside of the folder'],
    ['file:///etc/passwd', 'outside of the folder'],
    ['C:\\data\\x.csv', 'outside of the folder'],
    ['s3://bucket/x.csv', 'nothing is fetched'],
    ['bytes.bin', 'bytes.bin: the file is no text in UTF-8'],
    ['data:;base64,/w==', 'it is no text'],
  ])('the file %j of a sample is dropped with its reason', async (given, reason) => {
    const text = jsonl({ input: 'Read.', target: 'x', files: { 'a.txt': given } });
    const source = memorySource({ 'set.jsonl': text, 'bytes.bin': Uint8Array.of(255) }, 'set.jsonl');
    const { cases, report } = await imported('inspect', source);
    expect(cases[0]?.payload.workspace_files).toEqual([]);
    expect(report.items).toContainEqual({
      ...{ where: 'set.jsonl', key: 'files.a.txt', fate: 'dropped' },
      reason: expect.stringContaining(reason),
    });
  });

  test.each(['notes.txt', 'data/x.csv', './x.py'])(
    'the name %j of a file that is not there is a change with a warning',
    async (given) => {
      const text = jsonl({ id: 's', input: 'Read.', target: 'x', files: { 'a.txt': given } });
      const { cases, report, fates } = await imported('inspect', fileOf('set.jsonl', text));
      expect(cases[0]?.payload.workspace_files).toEqual([{ path: 'a.txt', content: given }]);
      expect(fates).toContain('changed files.a.txt');
      expect(report.warnings).toEqual([expect.stringContaining(`sample s names ${given}`)]);
    },
  );

  test.each(['hello', 'a/b', '3.14', '/* a comment */', '// x', '/', 'echo ../x', 'a: 1', '../x\ny.txt', ''])(
    'the text %j is a content, and no name of a file',
    async (given) => {
      const text = jsonl({ input: 'Read.', target: 'x', files: { 'a.txt': given } });
      const { cases, fates, report } = await imported('inspect', fileOf('set.jsonl', text));
      expect(cases[0]?.payload.workspace_files).toEqual([{ path: 'a.txt', content: given }]);
      expect(fates.filter((fate) => /files/.test(fate))).toEqual(['carried files']);
      expect(report.warnings).toEqual([]);
    },
  );

  test('files of many samples are staged from the rows of a data file', async () => {
    const rows = Array.from({ length: 400 }, (_each, index) => ({
      ...{ id: `s${index}`, input: `Read ${index}.txt. ${'x'.repeat(200)}`, target: String(index) },
      ...(index > 0 && { files: { [`${index}.txt`]: String(index) } }),
    }));
    const { files, pack, summary } = await imported('inspect', fileOf('d.jsonl', jsonl(...rows)));
    const settings = { path: 'data/default.jsonl', payload: { workspace_files: expect.anything() } };
    expect(pack.input_sets[0]).toMatchObject({ cases_from: settings });
    expect(summary.cases).toBe(400);
    const staged = String(files.get('data/default.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).payload.workspace_files);
    expect(staged.slice(0, 2)).toEqual([[], [{ path: '1.txt', content: '1' }]]);
  });

  test('long targets are graded by a judge, and samples without targets only on request', async () => {
    const long = jsonl({ input: 'Why?', target: 'Because of this.\nAnd of that.' });
    const { pack } = await imported('inspect', fileOf('why.jsonl', long), { judge: 'gpt-5' });
    expect(pack.version.evaluation_spec.llm_judges).toEqual([
      expect.objectContaining({
        mode: 'reference',
        model: 'gpt-5',
        reference_from: 'case.expectations.target',
      }),
    ]);
    const none = fileOf('none.jsonl', jsonl({ input: 'Why?' }));
    expect(await importProblems('inspect', none, { grader: 'match' })).toEqual([
      expect.objectContaining({ row: 1, line: 1, field: 'target' }),
    ]);
    const judged = await imported('inspect', none, { grader: 'judge' });
    expect(judged.pack.version.evaluation_spec.llm_judges).toEqual([
      expect.objectContaining({ mode: 'rubric' }),
    ]);
  });

  test('what a pack does not allow is a problem of its sample, also where samples are in a data file', async () => {
    for (const count of [2, 3_000]) {
      const rows = Array.from({ length: count }, (_each, index) => ({
        id: `s${index}`,
        input: 'q',
        target: 'a',
      }));
      const [, second] = rows;
      if (second) second.input = '\ud800';
      const source = fileOf('x.jsonl', `\n${rows.map((row) => JSON.stringify(row)).join('\n')}`);
      expect(await importProblems('inspect', source)).toContainEqual(
        expect.objectContaining({ file: 'x.jsonl', row: 2, line: 3 }),
      );
    }
  });

  test('other names of columns are given as options', async () => {
    const source = fileOf('x.csv', 'question,gold\n1+1?,2\n');
    expect(await importProblems('inspect', source)).toEqual([
      expect.objectContaining({ line: 2, field: 'input' }),
    ]);
    const { cases } = await imported('inspect', source, {
      input: 'question',
      target: 'gold',
      grader: 'match',
    });
    expect(['It is 2.', '2 it is'].map((output) => passes(cases[0], output))).toEqual([true, false]);
  });
});

describe('an import of a log of Inspect', () => {
  test('the samples of an .eval log become cases once, and results are left out', async () => {
    const { cases, pack, fates } = await imported(
      'inspect',
      evalLog([
        { name: 'header.json', content: JSON.stringify(HEADER) },
        ...LOGGED.map(sampleEntry),
        sampleEntry({ ...LOGGED[0], id: 'peru', epoch: 2 }),
        { name: 'summaries.json', content: '[]' },
      ]),
    );
    expect(pack.pack.slug).toBe('capitals');
    expect(cases.map(({ case_key, payload }) => [case_key, payload.prompt])).toEqual([
      ['malta', 'Capital of Malta?'],
      ['peru', 'Capital of Peru?'],
    ]);
    expect(['Lima!', 'lima'].map((output) => passes(cases[1], output))).toEqual([true, false]);
    expect(fates).toEqual(
      expect.arrayContaining([
        'dropped plan',
        'dropped results',
        'changed epochs',
        'changed eval.scorers.includes',
        'dropped eval.scorers.own',
        'dropped samples.scores',
        'dropped samples.output',
      ]),
    );
  });

  test('a log in JSON gives the same cases as one in the format .eval', async () => {
    const zipped = await imported(
      'inspect',
      evalLog([{ name: 'header.json', content: JSON.stringify(HEADER) }, ...LOGGED.map(sampleEntry)]),
    );
    const json = await imported(
      'inspect',
      fileOf('run.json', JSON.stringify({ ...HEADER, samples: [...LOGGED].reverse() })),
    );
    expect(json.cases).toEqual(zipped.cases);
  });

  test('an archive that is no log, and a sample that is no JSON, name their location', async () => {
    expect(await importProblems('inspect', evalLog([{ name: 'x', content: '' }]))).toEqual([
      expect.objectContaining({ file: 'run.eval', message: expect.stringContaining('header.json') }),
    ]);
    const broken = evalLog([
      { name: 'header.json', content: JSON.stringify(HEADER) },
      { name: 'samples/1_epoch_1.json', content: '{' },
    ]);
    expect(await importProblems('inspect', broken)).toEqual([
      expect.objectContaining({ file: 'run.eval:samples/1_epoch_1.json' }),
    ]);
  });

  test('arbitrary documents are imported, or have a problem with a file', async () => {
    const member = fc.constantFrom(
      'input',
      'target',
      'choices',
      'id',
      'files',
      'eval',
      'samples',
      'attachments',
      'scorers',
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(member, tie('value'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom('a.json', 'a.jsonl', 'a.csv'), async (document, name) => {
        const text = JSON.stringify(document);
        const sources = [
          fileOf(name, text),
          evalLog([
            { name: 'header.json', content: text },
            { name: 'samples/1_epoch_1.json', content: text },
          ]),
        ];
        for (const source of sources) {
          const error = await importPack('inspect', source).catch((caught: unknown) => caught);
          if (error instanceof Error) expect(error).toBeInstanceOf(ImportError);
        }
      }),
      { numRuns: 300 },
    );
  });
});
