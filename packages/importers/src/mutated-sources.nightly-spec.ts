import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ImportError } from './framework/import-error.js';
import { PACK_FILE } from './framework/importer.js';
import { importPack } from './import-pack.js';
import type { ImportKind } from './importers.js';
import { below, type Files, TASK } from './testing/harbor-task.js';
import { memorySource } from './testing/memory-source.js';

interface Source {
  kind: ImportKind;
  files: Files;
  entry?: string;
}

const PROMPTFOO = `prompts: [file://p.txt, "Name {{country}}"]
providers: [openai:chat:gpt-5-mini]
defaultTest: {assert: [{type: word-count, value: {max: 12}}]}
tests:
  - file://t.csv
  - {vars: {country: &list [Peru, Malta]}, assert: [{type: icontains, value: Lima}, {type: javascript, value: "output.length > 3"}]}
  - {vars: {country: *list}, assert: [{type: regex, value: "^L"}, {type: latency, threshold: 100}]}
`;
const SAMPLE = { id: 'a', epoch: 1, input: 'Capital of Peru?', target: 'Lima', files: { 'x.txt': 'text' } };
const LOG = {
  version: 2,
  eval: { task: 'capitals', model: 'm', scorers: [{ name: 'match' }] },
  samples: [SAMPLE],
};
const PATCH = '--- a/sums.py\n+++ b/sums.py\n@@ -1 +1 @@\n-return 1\n+return 2\n';
const INSTANCE = {
  ...{ instance_id: 'org__sums-1', repo: 'org/sums', base_commit: 'abc', problem_statement: 'Wrong.' },
  ...{
    patch: PATCH,
    test_patch: PATCH,
    FAIL_TO_PASS: '["t.py::a"]',
    PASS_TO_PASS: ['t.py::b'],
    version: '1.0',
  },
};
const REGISTRY = `capitals: {id: capitals.v0}
capitals.v0:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: samples.jsonl}
`;
const STEPS = '[[steps]]\nname = "one"\nmin_reward = 0.5\n[steps.agent]\ntimeout_sec = 60\n';

const SOURCES: readonly Source[] = [
  { kind: 'csv', entry: 'a.csv', files: { 'a.csv': 'id,question,expected\n1,"What, is?",x\n2,b,y\n' } },
  {
    kind: 'jsonl',
    entry: 'a.jsonl',
    files: { 'a.jsonl': '{"id":1,"question":"a","expected":"b"}\n{"id":2,"question":"c","expected":3}\n' },
  },
  {
    kind: 'promptfoo',
    files: {
      'promptfooconfig.yaml': PROMPTFOO,
      'p.txt': 'Capital of {{country}}?',
      't.csv': 'country,__expected\nPeru,Lima\n',
    },
  },
  { kind: 'inspect', entry: 'a.jsonl', files: { 'a.jsonl': `${JSON.stringify(SAMPLE)}\n` } },
  { kind: 'inspect', entry: 'a.json', files: { 'a.json': JSON.stringify(LOG, null, 1) } },
  {
    kind: 'swebench',
    entry: 'a.jsonl',
    files: { 'a.jsonl': JSON.stringify(INSTANCE), 'snapshots/org__sums-1.tar.gz': 'x' },
  },
  {
    kind: 'evals',
    files: { 'evals/a.yaml': REGISTRY, 'data/samples.jsonl': '{"input":"x","ideal":["a","b"]}\n' },
  },
  {
    kind: 'harbor',
    files: {
      ...below('one', TASK),
      ...below('two', {
        ...TASK,
        'task.toml': STEPS,
        'steps/one/instruction.md': 'x',
        'steps/one/tests/test.sh': 'x',
      }),
    },
  },
];

const VALUES = [
  'null',
  '[]',
  '{}',
  '-1',
  '1e999',
  'NaN',
  '"\\u0000"',
  '"\\ud800"',
  '""',
  '"../x"',
  '*list',
  '&own [*own]',
  '{{x}}',
  '__proto__',
  '9007199254740993',
  '"'.padEnd(300, 'x'),
  '\t',
  '${HOST}',
];

/** A change of a text at a position from 0 to 1. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  value: fc.constantFrom(...VALUES),
  change: fc.constantFrom('cut', 'insert', 'replace', 'member', 'line'),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutated(text: string, { at, to, value, change }: Mutation): string {
  const from = Math.floor(at * text.length);
  if (change === 'cut') return text.slice(0, from);
  if (change === 'insert') return text.slice(0, from) + value + text.slice(from);
  if (change === 'replace') return text.slice(0, from) + value + text.slice(from + Math.ceil(to * 12));
  const lines = text.split('\n');
  const line = Math.floor(at * lines.length) % lines.length;
  if (change === 'line') lines.splice(line, 1, lines[Math.floor(to * lines.length) % lines.length] ?? '');
  else lines[line] = (lines[line] ?? '').replace(/([:=]\s*)[^,}\]]*/, (_all, sign: string) => sign + value);
  return lines.join('\n');
}

test('every mutated source is imported, or has problems whose locations are in the source', async () => {
  const sources = fc.record({
    source: fc.constantFrom(...SOURCES),
    file: fc.nat(),
    mutations: fc.array(mutation, { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(sources, async ({ source: { kind, files, entry }, file, mutations }) => {
      const names = Object.keys(files);
      const name = names[file % names.length] ?? '';
      const content = mutations.reduce(mutated, String(files[name]));
      const source = memorySource({ ...files, [name]: content }, entry);
      const error = await importPack(kind, source, { includeUnrunnable: 'true' }).catch(
        (caught: unknown) => caught,
      );
      if (!(error instanceof Error)) return;
      expect(error).toBeInstanceOf(ImportError);
      const { problems } = error as ImportError;
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) {
        expect(problem.file).toEqual(expect.any(String));
        expect(problem.file).not.toBe(PACK_FILE);
        expect(problem.message).not.toMatch(/undefined|\[object|is not a function|Cannot read/);
      }
    }),
    { numRuns: 5_000 },
  );
});
