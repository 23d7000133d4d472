import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ImportError } from '../framework/import-error.js';
import { importPack } from '../import-pack.js';
import { imported, importProblems, passes, solvedBy } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';

const SAMPLES = [
  { input: [{ role: 'user', content: 'Capital of Peru?' }], ideal: 'Lima' },
  {
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Capital of Malta?' },
    ],
    ideal: ['Valletta', 'Il-Belt'],
    note: 'islands',
  },
];
const samples = SAMPLES.map((sample) => JSON.stringify(sample)).join('\n');

const registry = (entry: string, more: Record<string, string> = {}) =>
  memorySource({
    'evals/capitals.yaml': `capitals:\n  id: capitals.dev.v0\n  description: Capitals of states.\n  metrics: [accuracy]\ncapitals.dev.v0:\n${entry}`,
    'data/capitals/samples.jsonl': samples,
    ...more,
  });
const entryOf = (implementation: string, args = '') =>
  `  class: ${implementation}\n  args:\n    samples_jsonl: capitals/samples.jsonl\n${args}`;

describe("an import of OpenAI's evals", () => {
  test('the samples of a registry become cases whose ideals no agent sees', async () => {
    const { pack, cases, fates, report } = await imported(
      'evals',
      registry(entryOf('evals.elsuite.basic.match:Match')),
    );
    expect(pack.pack).toMatchObject({ slug: 'capitals', description: 'Capitals of states.' });
    expect(cases.map(({ payload }) => payload)).toEqual([
      { prompt: 'Capital of Peru?' },
      { prompt: '[system]\nBe brief.\n\n[user]\nCapital of Malta?' },
    ]);
    expect(fates).toEqual([
      'carried capitals.dev.v0.class',
      'carried capitals.args.samples_jsonl',
      'changed input',
      'carried input',
      'carried ideal',
      'dropped note',
    ]);
    expect(report.items.at(-1)).toMatchObject({ where: 'data/capitals/samples.jsonl', key: 'note' });
  });

  test.each([
    ['evals.elsuite.basic.match:Match', ['Lima.', 'Lima'], ['It is Lima', 'lima']],
    ['evals.elsuite.basic.includes:Includes', ['It is Lima.'], ['It is lima.', 'Cusco']],
    ['evals.elsuite.basic.fuzzy_match:FuzzyMatch', ['It is LIMA!', 'the lima'], ['Cusco']],
  ])('an output passes the class %s as in the original', async (implementation, right, wrong) => {
    const { cases, pack } = await imported('evals', registry(entryOf(implementation)));
    const solved = solvedBy({ pack, cases });
    expect(cases.map((each, index) => passes(each, solved[index] ?? ''))).toEqual([true, true]);
    expect(right.map((output) => passes(cases[0], output))).toEqual(right.map(() => true));
    expect(wrong.map((output) => passes(cases[0], output))).toEqual(wrong.map(() => false));
  });

  test('each of several ideals passes, and Includes ignores case where its arguments do', async () => {
    const source = registry(entryOf('evals.elsuite.basic.includes:Includes', '    ignore_case: true\n'));
    const { cases } = await imported('evals', source);
    const outputs = ['It is valletta', 'il-belt', 'Mdina'];
    expect(outputs.map((output) => passes(cases[1], output))).toEqual([true, true, false]);
  });

  test('a model-graded evaluation becomes a judge with the question of the registry', async () => {
    const args =
      '    modelgraded_spec: polite\n    modelgraded_spec_args: {who: customer}\n    eval_type: cot_classify\n';
    const spec = 'polite:\n  prompt: "Is this polite to the {who}? {completion}"\n  choice_strings: [Y, N]\n';
    const source = registry(entryOf('evals.elsuite.modelgraded.classify:ModelBasedClassify', args), {
      'modelgraded/polite.yaml': spec,
    });
    const { pack, report, fates } = await imported('evals', source, { judge: 'claude-sonnet-4-5' });
    expect(pack.version.evaluation_spec.llm_judges).toEqual([
      expect.objectContaining({
        model: 'claude-sonnet-4-5',
        mode: 'reference',
        rubric: expect.stringContaining('Is this polite to the customer? {completion}'),
      }),
    ]);
    expect(fates).toContain('dropped polite.choice_strings');
    expect(report.warnings).toEqual([expect.stringContaining('claude-sonnet-4-5')]);
  });

  test('a file of samples alone is imported by the class that was given', async () => {
    const source = memorySource({ 'samples.jsonl': samples }, 'samples.jsonl');
    const { cases, report } = await imported('evals', source, { class: 'includes' });
    expect(passes(cases[0], 'It is Lima')).toBe(true);
    expect(report.warnings).toEqual([]);
    const guessed = await imported('evals', source);
    expect(guessed.report.warnings).toEqual([expect.stringContaining('--class match')]);
  });

  test('many samples are the rows of a data file beside the pack, which validators and instructions are checked with', async () => {
    const many = Array.from({ length: 3_000 }, (_each, index) =>
      JSON.stringify({ input: `What is ${index} + {{1}}? ${'x'.repeat(400)}`, ideal: String(index + 1) }),
    );
    const { files, pack, summary } = await imported(
      'evals',
      memorySource({ 's.jsonl': many.join('\n') }, 's.jsonl'),
    );
    expect(String(files.get('pack.yaml')).length).toBeLessThan(4_000);
    expect(pack.input_sets[0]).toMatchObject({ cases_from: { path: 'data/default.jsonl' } });
    expect(summary.cases).toBe(3_000);
    const [first = ''] = String(files.get('data/default.jsonl')).split('\n');
    expect(JSON.parse(first)).toMatchObject({
      case_key: 'sample-1',
      payload: { prompt: expect.stringContaining('What is 0 + {{1}}?') },
      expectations: { ideal: '1' },
    });
  });

  test('problems of samples and registries name file, line and field', async () => {
    const rows = (text: string) => importProblems('evals', memorySource({ 's.jsonl': text }, 's.jsonl'));
    expect(await rows('{"input": "a", "ideal": "b"}\n{"input": 1, "ideal": "b"}')).toEqual([
      { file: 's.jsonl', row: 2, line: 2, field: 'input', message: expect.stringContaining('messages') },
    ]);
    expect(await rows('{"input": "a"}')).toEqual([expect.objectContaining({ row: 1, field: 'ideal' })]);
    expect(await importProblems('evals', registry('  class: [\n'))).toEqual([
      expect.objectContaining({ file: 'evals/capitals.yaml', line: 7 }),
    ]);
    expect(await importProblems('evals', registry(entryOf('mine.evals:Own')))).toEqual([
      expect.objectContaining({
        field: 'capitals.class',
        message: expect.stringContaining('mine.evals:Own'),
      }),
    ]);
    const outside = entryOf('evals.elsuite.basic.match:Match').replace('capitals/', '../../etc/');
    expect(await importProblems('evals', registry(outside))).toEqual([
      expect.objectContaining({ message: expect.stringContaining('outside of the registry') }),
    ]);
  });

  test('entries that name each other in a circle are refused', async () => {
    const source = memorySource({ 'evals/a.yaml': 'a: {id: b}\nb: {id: a}\nc: {class: x:Match}\n' });
    expect(await importProblems('evals', source, { eval: 'a' })).toEqual([
      expect.objectContaining({ file: 'evals/a.yaml', message: expect.stringContaining('circle') }),
    ]);
  });

  test('arbitrary registries and samples are imported, or have a problem with a file', async () => {
    const words = fc.constantFrom(
      'a',
      ':',
      '\n',
      '  ',
      '-',
      '[',
      '{',
      '&x',
      '*x',
      'id',
      'class',
      'args',
      '"',
      'samples_jsonl',
    );
    const yaml = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(''));
    const rows = fc.oneof(fc.json(), fc.string());
    await fc.assert(
      fc.asyncProperty(yaml, rows, async (text, row) => {
        const folder = memorySource({ 'evals/x.yaml': text, 'data/s.jsonl': row });
        const alone = memorySource({ 's.jsonl': row }, 's.jsonl');
        for (const source of [folder, alone]) {
          const error = await importPack('evals', source).catch((caught: unknown) => caught);
          if (error instanceof Error) expect(error).toBeInstanceOf(ImportError);
        }
      }),
    );
  });
});
