import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { ImportError } from '../framework/import-error.js';
import { importPack } from '../import-pack.js';
import { memorySource } from '../testing/memory-source.js';
import { ASSERTION_TYPES } from './known-assertions.js';

const FILE = 'promptfooconfig.yaml';
const ASSERT = [{ type: 'equals', value: 'x' }];
const withTests = (tests: unknown) => ({ prompts: ['Write {{word}}'], tests });

async function problemsOf(config: unknown) {
  const text = typeof config === 'string' ? config : stringify(config);
  const error = await importPack('promptfoo', memorySource({ [FILE]: text }, FILE)).catch(
    (caught: unknown) => caught,
  );
  if (!(error instanceof ImportError)) throw new Error(`no import error: ${String(error)}`);
  return error.problems;
}

describe('a malformed configuration', () => {
  test('an alias inside of its own anchor is a problem with its place', async () => {
    const text =
      'prompts: [x]\ntests:\n  - vars: {a: &own [1, *own]}\n    assert: [{type: equals, value: x}]\n';
    expect(await problemsOf(text)).toEqual([
      {
        file: 'promptfooconfig.yaml',
        line: 3,
        column: 24,
        message: 'the alias is inside of its own anchor',
      },
    ]);
  });

  test('what a pack does not allow is a problem of the test that has it', async () => {
    const text =
      'prompts: [x]\ntests:\n  - assert: [{type: equals, value: y}]\n  - assert: [{type: equals, value: "\\ud800"}]\n';
    expect(await problemsOf(text)).toMatchObject([
      { file: 'promptfooconfig.yaml', line: 4, message: expect.stringContaining('unpaired surrogate') },
    ]);
  });

  test.each<[string, unknown, object]>([
    ['text that is no YAML', 'prompts: [a\ntests: b: c', { line: expect.any(Number) }],
    ['a list', '- a\n- b\n', { message: expect.any(String) }],
    ['no prompts', { tests: [] }, { field: 'prompts' }],
    ['tests that are a number', withTests(7), { field: 'tests', line: 3 }],
    [
      'a test that is a list',
      withTests([{ assert: ASSERT }, [1]]),
      { field: expect.stringContaining('tests[1]') },
    ],
    [
      'an assertion without a type',
      withTests([{ assert: [{ value: 'x' }] }]),
      { field: 'tests[0].assert[0].type' },
    ],
    [
      'an assertion that is a text',
      withTests([{ assert: ['equals: x'] }]),
      { field: 'tests[0].assert[0].type' },
    ],
    [
      'a threshold that is a text',
      withTests([{ assert: [{ type: 'bleu', value: 'x', threshold: 'high' }] }]),
      { field: 'tests[0].assert[0].threshold' },
    ],
    [
      'a file that does not exist',
      withTests('file://none.yaml'),
      { file: FILE, line: 3, field: 'tests', message: 'none.yaml: there is no such file' },
    ],
    [
      'a file outside of the folder',
      withTests([{ vars: { word: 'file://../secret.txt' }, assert: ASSERT }]),
      { file: FILE, line: 5, field: 'tests[0].vars.word', message: expect.stringContaining('../secret.txt') },
    ],
    [
      'an absolute path',
      'prompts:\n  - a\n  - file:///etc/passwd\n',
      { file: FILE, line: 3, field: 'prompts[1]', message: '/etc/passwd: the path is absolute' },
    ],
    [
      'code of an assertion in a file that does not exist',
      withTests([{ assert: [{ type: 'javascript', value: 'file://none.js' }] }]),
      { file: FILE, line: 6, field: 'tests[0].assert[0].value', message: expect.stringContaining('none.js') },
    ],
    [
      'a file of default tests that does not exist',
      { ...withTests([{ assert: ASSERT }]), defaultTest: 'file://none.yaml' },
      { file: FILE, field: 'defaultTest' },
    ],
    [
      'a file of scenarios that does not exist',
      { prompts: ['x'], scenarios: ['file://none.yaml'] },
      { file: FILE, field: 'scenarios[0]' },
    ],
    [
      'a threshold that is no number',
      'prompts: [x]\ntests:\n  - threshold: .nan\n    assert: [{type: equals, value: x}]\n',
      {
        file: FILE,
        line: 3,
        field: 'tests[0].threshold',
        message: expect.stringContaining('the number NaN'),
      },
    ],
    ...['bleu', 'rouge-n', 'latency', 'cost'].map((type): [string, unknown, object] => [
      `a threshold of ${type} out of all bounds`,
      `prompts: [x]\ntests:\n  - assert:\n      - type: ${type}\n        value: x\n        threshold: 1e308\n`,
      { file: FILE, line: 6, field: 'tests[0].assert[0].threshold' },
    ]),
    ['an alias without an anchor', 'prompts: [x]\na: *b\n', { file: FILE, line: 2, column: 4 }],
    ['a merge of what is no map', 'prompts: [x]\na: {<<: 1}\n', { file: FILE }],
    [
      'a reference to nothing',
      withTests([{ assert: [{ $ref: '#/none' }] }]),
      { field: 'tests[0].assert[0]' },
    ],
    [
      'a reference to itself',
      { prompts: ['x'], tests: [{ assert: [{ $ref: '#/tests/0/assert/0' }] }] },
      { message: expect.stringContaining('follow each other') },
    ],
    [
      'too many combinations',
      withTests([
        { vars: Object.fromEntries([...'abcdef'].map((key) => [key, Array(20).fill('v')])), assert: ASSERT },
      ]),
      { field: 'tests[0].vars' },
    ],
    [
      'variables that grow without bound',
      withTests([{ vars: { a: '{{b}}'.repeat(9000), b: '{{a}}'.repeat(9000) }, assert: ASSERT }]),
      { message: expect.stringContaining('characters') },
    ],
    ['deep nesting', `prompts: ${'['.repeat(5000)}`, { message: expect.stringContaining('levels') }],
    [
      'aliases that multiply',
      `a: &a [x, x]\n${'bcdefghijklmnop'
        .split('')
        .map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghijklmnop'[index]}`).join(', ')}]`)
        .join('\n')}\nprompts: [x]`,
      { file: FILE, message: 'the document cannot be read: its aliases have too many values' },
    ],
  ])('%s is a problem with its location', async (_name, config, location) => {
    const [problem] = await problemsOf(config);
    expect(problem).toMatchObject(location);
  });

  test('a folder without a configuration and a configuration in code are problems', async () => {
    const error = importPack('promptfoo', memorySource({ 'a.txt': '' }));
    await expect(error).rejects.toThrow('has none of');
    await expect(importPack('promptfoo', memorySource({ 'c.js': '' }, 'c.js'))).rejects.toThrow('not run');
  });

  test('arbitrary documents are imported or end with a problem', async () => {
    const leaf = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(
        'file://a.csv',
        'file://../x',
        '{{word}}',
        '{{a|b}}',
        '{% x %}',
        '#/tests',
        '__proto__',
        'https://x',
      ),
      fc.string({ unit: 'binary' }),
    );
    const assertion = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom(...ASSERTION_TYPES),
          fc.constantFrom('assert-set', 'not-regex', 'not-contains-all'),
          leaf,
        ),
        value: leaf,
        threshold: fc.oneof(fc.double(), leaf),
        weight: leaf,
        $ref: leaf,
        assert: fc.array(leaf),
      },
      { requiredKeys: [] },
    );
    const aTest = fc.record(
      {
        vars: fc.oneof(fc.dictionary(fc.string(), leaf), leaf),
        assert: fc.oneof(fc.array(assertion), leaf),
        options: leaf,
        threshold: leaf,
        description: leaf,
        providerOutput: leaf,
      },
      { requiredKeys: [] },
    );
    const config = fc.record(
      {
        prompts: fc.oneof(fc.constant(['Write {{word}}']), fc.array(leaf), leaf),
        tests: fc.oneof(fc.array(aTest), leaf),
        defaultTest: fc.oneof(aTest, leaf),
        scenarios: fc.oneof(fc.array(fc.record({ config: fc.array(aTest), tests: fc.array(aTest) })), leaf),
        providers: fc.oneof(fc.array(leaf), leaf),
        description: leaf,
      },
      { requiredKeys: ['prompts'] },
    );
    const documents = fc.oneof(
      config.map((value) => JSON.stringify(value)),
      config.map((value) => stringify(value)),
      fc.string({ unit: 'binary' }),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(documents, fc.string(), async (text, table) => {
        const source = memorySource({ [FILE]: text, 'a.csv': `word,__expected\n${table}` }, FILE);
        const error = await importPack('promptfoo', source, { judge: 'claude-x' }).then(
          () => undefined,
          (caught: unknown) => caught,
        );
        if (error !== undefined && !(error instanceof ImportError)) throw error;
      }),
      { numRuns: 100 },
    );
  });
});
