import { readPack } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { ImportError } from '../framework/import-error.js';
import type { ImportOptions } from '../framework/importer.js';
import { importPack } from '../import-pack.js';
import { solvedBy } from '../testing/imported.js';
import { memorySource } from '../testing/memory-source.js';
import { ASSERTION_TYPES } from './known-assertions.js';

const FILE = 'promptfooconfig.yaml';

async function imported(config: unknown, files: Record<string, string> = {}, options: ImportOptions = {}) {
  const text = typeof config === 'string' ? config : stringify(config);
  const result = await importPack('promptfoo', memorySource({ [FILE]: text, ...files }, FILE), options);
  const { pack } = readPack(result.files.get('pack.yaml') ?? '');
  if (pack === undefined) throw new Error('the pack is not valid');
  const { evaluation_spec: spec } = pack.version;
  const fates = Object.fromEntries(
    result.report.items.map(({ key, fate, reason }) => [key, `${fate}: ${reason}`]),
  );
  return { ...result, pack, spec, fates, cases: pack.input_sets[0]?.cases ?? [] };
}

async function problemsOf(config: unknown, files: Record<string, string> = {}) {
  const error = await imported(config, files).catch((caught: unknown) => caught);
  if (!(error instanceof ImportError)) throw new Error(`no import error: ${String(error)}`);
  return error.problems;
}

const ASSERT = [{ type: 'equals', value: 'x' }];
const withTests = (tests: unknown, more: object = {}) => ({ prompts: ['Write {{word}}'], tests, ...more });

describe('prompts and tests', () => {
  test('each prompt is a challenge and each test a case of it', async () => {
    const { pack, cases } = await imported(
      {
        prompts: [
          'Write {{word}}',
          { raw: 'Repeat {{ word }}', label: 'repeat' },
          'file://prompts/chat.json',
        ],
        tests: [
          { description: 'One', vars: { word: 'a' }, assert: ASSERT },
          { vars: { word: 'b' }, assert: ASSERT },
        ],
      },
      {
        'prompts/chat.json':
          '[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{{word}}!"}]',
      },
    );
    expect(pack.challenges.map(({ instructions }) => instructions)).toEqual([
      'Write {{word}}',
      'Repeat {{word}}',
      'system: Be brief.\n\nuser: {{word}}!',
    ]);
    expect(cases.map(({ case_key }) => case_key)).toEqual([
      'one-write-word',
      'one-repeat',
      'one-chat-json',
      'test-2-write-word',
      'test-2-repeat',
      'test-2-chat-json',
    ]);
  });

  test('a case whose whole output is asserted has it as its solution, and no other case', async () => {
    const result = await imported(
      withTests([
        { vars: { word: 'a' }, assert: [{ type: 'contains', value: 'a' }, ...ASSERT] },
        { vars: { word: 'b' }, assert: [{ type: 'equals', value: '{{word}}' }] },
        { vars: { word: 'c' }, assert: [{ type: 'not-equals', value: 'c' }] },
        { vars: { word: 'd' }, assert: [{ type: 'contains', value: 'd' }] },
      ]),
    );
    expect(solvedBy(result)).toEqual(['x', 'b', undefined, undefined]);
  });

  test('variables that the prompt does not insert stay with the grader', async () => {
    const { cases, fates } = await imported(
      withTests([
        { vars: { word: 'a', gold: 'b', spare: 'c' }, assert: [{ type: 'equals', value: '{{gold}}' }] },
      ]),
    );
    expect(cases[0]).toMatchObject({ payload: { word: 'a' }, expectations: [{ value: 'b' }] });
    expect(Object.keys(cases[0]?.payload ?? {})).toEqual(['word']);
    expect(fates['vars.gold']).toBe('carried: assertions, which no agent sees');
    expect(fates['vars.spare']).toContain('dropped');
  });

  test('defaults, scenarios, lists of values and references are expanded', async () => {
    const { cases, spec } = await imported({
      prompts: ['{{a}} {{b}}'],
      assertionTemplates: { short: { type: 'word-count', value: { max: 5 } } },
      defaultTest: { vars: { b: 'z' }, assert: [{ $ref: '#/assertionTemplates/short' }] },
      tests: [{ vars: { a: ['1', '2'] }, assert: [{ type: 'contains', value: '{{a}}' }] }],
      scenarios: [{ config: [{ vars: { a: 'p' } }, { vars: { a: 'q' } }], tests: [{ assert: ASSERT }] }],
    });
    expect(cases.map(({ payload }) => `${payload.a}${payload.b}`)).toEqual(['1z', '2z', 'pz', 'qz']);
    expect(spec.validators?.map(({ key, when }) => [key, when])).toEqual([
      ['word-count', undefined],
      ['contains', 'case.expectations.contains'],
      ['equals', 'case.expectations.equals'],
    ]);
  });

  test('tests are read from CSV, JSON lines, JSON and YAML', async () => {
    const { cases } = await imported(withTests(['tests.csv', 'file://more.jsonl', 'file://rest.yaml']), {
      'tests.csv':
        'word,__expected,__expected2,__description\na,"contains-any: x, y",not-contains: z,from a table\nb,B,,\n',
      'more.jsonl': '{"vars": {"word": "c"}, "assert": [{"type": "equals", "value": "C"}]}\n',
      'rest.yaml': '- vars: {word: d}\n  assert: [{type: regex, value: "file://pattern.txt"}]\n',
      'pattern.txt': '^D$\n',
    });
    expect(
      cases.map(({ case_key, expectations }) => [case_key, expectations?.map(({ value }) => value)]),
    ).toEqual([
      ['from-a-table', ['(?:x|y)', 'z']],
      ['test-2', ['B']],
      ['test-3', ['C']],
      ['test-4', ['^D$']],
    ]);
  });

  test('a prompt that computes something is dropped, and the import fails without another one', async () => {
    const config = (prompts: string[]) => ({ prompts, tests: [{ assert: ASSERT }] });
    const { fates } = await imported(config(['{{a | upper}}', 'Write x']));
    expect(fates['prompts[0]']).toContain('dropped: templates of packs insert values');
    expect(await problemsOf(config(['{% if a %}b{% endif %}', 'file://prompt.py']))).toMatchObject([
      { field: 'prompts', message: 'no prompt can be imported' },
    ]);
  });
});

describe('assertions', () => {
  test('a test of which no assertion has a counterpart is dropped, others carry a warning', async () => {
    const code = { type: 'similar', value: 'x' };
    const { cases, report, fates } = await imported(
      withTests([{ assert: [code] }, { assert: [...ASSERT, code] }, { vars: { word: 'free' } }]),
    );
    expect(cases.length).toBe(2);
    expect(fates['tests[0]']).toContain('dropped: none of its assertions');
    expect(fates['tests[2]']).toBe('changed: it asserts nothing: every output passes');
    expect(report.warnings).toEqual([expect.stringContaining('tests[1]: 1 of 2 assertions are not checked')]);
  });

  test('an assertion of weight 0 is dropped without a warning, since it fails no test', async () => {
    const idle = { type: 'equals', value: 'y', weight: 0 };
    const { report, fates } = await imported(withTests([{ assert: [...ASSERT, idle] }]));
    expect(report.warnings).toEqual([]);
    expect(fates['tests[0].assert[1]']).toContain('dropped: equals: with the weight 0');
  });

  test('an import without any test names the reasons', async () => {
    const types = ['similar', 'similar', 'moderation', 'classifier', 'perplexity'];
    const tests = types.map((type) => ({ assert: [{ type, value: 'x' }] }));
    const [problem] = await problemsOf(withTests(tests));
    expect(problem?.message).toMatch(
      /^no test can be imported: similar: .+; moderation: .+; classifier: .+; 1 further reasons$/,
    );
  });

  test('assertions in code become scripts, which the import does not run', async () => {
    const { files, pack, cases, fates } = await imported(
      withTests([
        {
          vars: { word: 'w', max: 3 },
          assert: [
            { type: 'javascript', value: 'output.length <= context.vars.max' },
            { type: 'not-javascript', value: 'file://graders.js:loud' },
            { type: 'python', value: 'len(output) > {{max}}', threshold: 0.5 },
            { type: 'levenshtein', value: 'abc', threshold: 2 },
          ],
        },
        { assert: ASSERT },
      ]),
      { 'graders.js': 'module.exports = { loud: (output) => output.endsWith("!") };\n' },
    );
    expect([...files.keys()].filter((path) => path.startsWith('graders/'))).toEqual([
      'graders/promptfoo.mjs',
      'graders/promptfoo.py',
    ]);
    expect(
      pack.version.evaluation_spec.validators?.map(({ key, type, target, when }) => [
        key,
        type,
        target,
        when,
      ]),
    ).toEqual([
      ['javascript', 'script', 'evidence', 'case.expectations.javascript'],
      ['not-javascript', 'script', 'evidence', 'case.expectations.not-javascript'],
      ['python', 'script', 'evidence', 'case.expectations.python'],
      ['levenshtein', 'script', 'evidence', 'case.expectations.levenshtein'],
      ['equals', 'exact_match', 'final_output', 'case.expectations.equals'],
    ]);
    const given = cases[0]?.expectations?.map(({ value }) => JSON.parse(String(value)));
    expect(given).toMatchObject([
      { code: 'output.length <= context.vars.max', vars: { max: 3 } },
      { code: expect.stringContaining('loud'), function: 'loud', isInverse: true },
      { code: 'len(output) > 3', threshold: 0.5 },
      { value: 'abc' },
    ]);
    expect(fates['vars.max']).toBe('carried: assertions, which no agent sees');
  });

  test('rubrics are decided by one judge, whose model is an option or the configured grader', async () => {
    const tests = [
      { assert: [{ type: 'llm-rubric', value: 'Is {{word}} polite?' }, ...ASSERT], vars: { word: 'it' } },
      { assert: ASSERT },
    ];
    const { fates } = await imported(withTests(tests));
    expect(fates['tests[0].assert[0]']).toContain('--judge');
    for (const judged of [
      await imported(withTests(tests), {}, { judge: 'claude-sonnet-4-5' }),
      await imported(
        withTests(tests, { defaultTest: { options: { provider: 'anthropic:messages:claude-sonnet-4-5' } } }),
      ),
    ]) {
      expect(judged.spec.llm_judges).toMatchObject([{ mode: 'assertion', model: 'claude-sonnet-4-5' }]);
      expect(judged.cases.map(({ expectations }) => expectations?.at(-1)?.value)).toEqual([
        '1. Is it polite?',
        expect.stringContaining('no criterion'),
      ]);
    }
  });

  test('limits and thresholds are carried where all tests share them', async () => {
    const limit = { type: 'latency', threshold: 2000 };
    const shared = await imported(
      withTests([{ assert: ASSERT }], { defaultTest: { assert: [limit], threshold: 0.5 } }),
    );
    expect(shared.spec.scorecard.dimensions).toMatchObject([
      { key: 'correctness', pass_threshold: 0.5 },
      { key: 'latency', normalization: { target: 2000 }, pass_threshold: 1 },
    ]);
    const single = await imported(
      withTests([{ assert: [...ASSERT, limit], threshold: 0.5 }, { assert: ASSERT }]),
    );
    expect(single.spec.scorecard.dimensions).toMatchObject([{ scoring: 'verdicts', pass_threshold: 1 }]);
    expect(single.fates['tests[0].assert[1]']).toContain('not all tests have this limit');
    expect(single.fates['tests[0].threshold']).toContain('dropped');
  });

  test('every known type is carried, changed or dropped with a reason', async () => {
    for (const type of ASSERTION_TYPES.flatMap((base) => [base, `not-${base}`])) {
      const { report } = await imported(
        withTests([{ assert: [{ type, value: 'x', threshold: 0.5 }, ...ASSERT], vars: { word: 'w' } }]),
      );
      const about = report.items.filter(
        ({ key, reason }) => `${key} ${reason}`.includes('assert[0]') || key.endsWith(type),
      );
      expect([type, about.length > 0]).toEqual([type, true]);
    }
  });
});

describe('providers', () => {
  test('models of known providers become deployments, others are dropped with the reason', async () => {
    const { files, fates } = await imported(
      withTests([{ assert: ASSERT }], {
        providers: [
          'openai:chat:gpt-5-mini',
          {
            id: 'anthropic:messages:claude-sonnet-4-5',
            label: 'sonnet',
            config: { temperature: 0, apiKey: 'k' },
          },
          { 'google:gemini-2.5-flash': { config: { max_tokens: 100 } } },
          'ollama:chat:qwen3',
          'echo',
          'file://provider.js',
          'openai:embedding:text-embedding-3-small',
        ],
      }),
    );
    const written = parse(String(files.get('deployments.yaml')));
    expect(written.deployments).toEqual([
      { name: 'gpt-5-mini', kind: 'model', config: { model_alias: 'gpt-5-mini' } },
      { name: 'sonnet', kind: 'model', config: { model_alias: 'sonnet', sampling: { temperature: 0 } } },
      {
        name: 'gemini-2.5-flash',
        kind: 'model',
        config: { model_alias: 'gemini-2.5-flash', sampling: { max_output_tokens: 100 } },
      },
      { name: 'qwen3', kind: 'model', config: { model_alias: 'qwen3' } },
    ]);
    expect(JSON.stringify(written)).not.toContain('"k"');
    expect(
      Object.entries(fates).filter(
        ([key, fate]) => /^providers\[\d\]$/.test(key) && fate.startsWith('dropped'),
      ),
    ).toEqual([
      ['providers[4]', 'dropped: no agent returns its prompt'],
      ['providers[5]', expect.stringContaining('code')],
      ['providers[6]', expect.stringContaining('no model provider')],
    ]);
  });
});
