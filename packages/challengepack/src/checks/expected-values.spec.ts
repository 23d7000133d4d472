import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fillConfig } from '../evaluation-spec/fill-config.js';
import { VALIDATOR_TYPE_NAMES } from '../evaluation-spec/validator-types.js';
import { expectsText, readExpected } from '../expected/try-expected.js';
import { readPack } from '../read/read-pack.js';
import { append, EXAMPLE, findingsIn, problemsIn, remove, set } from '../testing/example-pack.js';
import { valueText } from '../values/value-text.js';

const EXPECTED_FROM = 'version.evaluation_spec.validators[0].expected_from';
const CASE = 'input_sets[0].cases[0]';

const caseOf = (case_key: string, expectations: unknown[], more = {}) => ({
  challenge_key: 'c1',
  case_key,
  expectations,
  ...more,
});
const solution = (value: unknown) => ({ key: 'result', kind: 'text', value });
const typed = (type: string, config?: object) =>
  set('version.evaluation_spec.validators[0]', {
    key: 'v',
    type,
    target: 'final_output',
    expected_from: 'case.expectations.result',
    ...(config && { config }),
  });

describe('a validator compares with something that every case has', () => {
  test('cases without the expectation are named with their places', () => {
    const text = `${EXAMPLE}      - {challenge_key: c1, case_key: k2, expectations: [{key: other, kind: text, value: a}]}
      - {challenge_key: c1, case_key: k3}
`;
    expect(readPack(text).problems).toEqual([
      {
        code: 'missing_expectation',
        severity: 'error',
        field: EXPECTED_FROM,
        line: 10,
        column: 78,
        message: '2 of 3 cases have no case.expectations.result: default/k2 (23:9), default/k3 (24:9)',
      },
    ]);
  });

  test('a validator with a condition compares only the cases that meet it', () => {
    const cases = [
      caseOf('k1', [solution('42')]),
      caseOf('k2', [{ key: 'language', kind: 'text', value: 'fr' }]),
    ];
    const conditional = (key: string, expectation: string) => ({
      key,
      type: 'contains',
      target: 'final_output',
      expected_from: `case.expectations.${expectation}`,
      when: `case.expectations.${expectation}`,
    });
    const validators = (...list: object[]) => [
      set('input_sets[0].cases', cases),
      set('version.evaluation_spec.validators', list),
    ];
    const [first, second] = [conditional('v', 'result'), conditional('w', 'language')];
    expect(problemsIn(validators(first, second))).toEqual([]);
    expect(problemsIn(validators(first, second, conditional('x', 'none')))).toMatchObject([
      { field: 'version.evaluation_spec.validators[2].when', code: 'missing_expectation' },
    ]);
    expect(problemsIn(validators(first))).toMatchObject([
      {
        field: 'version.evaluation_spec.scorecard.dimensions[0]',
        message: 'none of its validators judges default/k2: it would have no score there',
      },
    ]);
  });

  test('a name that no case has is an error with the nearest name that some case has', () => {
    const [problem, ...others] = problemsIn([set(EXPECTED_FROM, 'case.expectations.resutl.text')]);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: 'missing_expectation',
      suggestion: 'case.expectations.result.text',
      message:
        'no case has case.expectations.resutl.text: default/k1 (31:9); did you mean case.expectations.result.text?',
    });
  });

  test('a schema that refers to itself without end is refused with that reason', () => {
    const [problem] = problemsIn([
      typed('json_schema'),
      set('input_sets[0].cases', [caseOf('k1', [solution('{"$ref":"#"}')])]),
    ]);
    expect(problem).toMatchObject({
      code: 'invalid_expectation',
      message: expect.stringContaining('at the root: is a reference that leads back to itself without end'),
    });
  });

  test('only the first five cases are named', () => {
    const cases = Array.from({ length: 9 }, (_, index) => caseOf(`n${index}`, []));
    const [problem] = problemsIn([set('input_sets[0].cases', [...cases, caseOf('ok', [solution('a')])])]);
    expect(problem?.message).toMatch(
      /^9 of 10 cases have no .*: (default\/n\d \(\d+:\d+\), ){4}.* and 4 more$/,
    );
  });

  test.each([
    ['case.payload.topic', [`${EXPECTED_FROM} visible_expectation`]],
    ['case.payload.topic.deep', [`${EXPECTED_FROM} missing_expectation`]],
    ['case.inputs.prompt', [`${EXPECTED_FROM} visible_expectation`]],
    ['case.inputs.none', [`${EXPECTED_FROM} missing_expectation`]],
    ['artifact.none', [`${EXPECTED_FROM} missing_expectation`]],
    ['final_output', []],
    ['literal:x', []],
  ])('the reference %s has the problems %j', (reference, findings) => {
    expect(findingsIn([set(EXPECTED_FROM, reference)])).toEqual(findings);
  });

  test('the text of a file is unknown when the pack is read, and not compared', () => {
    const gold = { key: 'gold', path: 'gold.json' };
    const fromFile = [typed('json_schema'), set('version.assets', [gold])];
    const named = { key: 'result', kind: 'file', artifact_key: 'gold' };
    expect(findingsIn([...fromFile, set(`${CASE}.expectations`, [named])])).toEqual([]);
    expect(findingsIn([...fromFile, set(EXPECTED_FROM, 'artifact.gold.path')])).toContain(
      `${EXPECTED_FROM} invalid_expectation`,
    );
  });

  test('values are not compared while the cases themselves have errors', () => {
    expect(findingsIn([set(`${CASE}.expectations`, []), set(`${CASE}.case_timeout_seconds`, -1)])).toEqual([
      `${CASE}.case_timeout_seconds out_of_range`,
    ]);
  });

  test('a validator with a faulty reference or config has only its own problem', () => {
    expect(findingsIn([set(EXPECTED_FROM, 'case.expectation.n')])).toEqual([`${EXPECTED_FROM} malformed`]);
    expect(
      findingsIn([typed('list_match', { mode: 'odd' }), set(`${CASE}.expectations`, [solution('a')])]),
    ).toEqual(['version.evaluation_spec.validators[0].config.mode unknown_value']);
  });

  test('a pack without cases has nothing to compare', () => {
    expect(findingsIn([remove('input_sets')])).toEqual(['input_sets no_input_sets']);
  });
});

describe('a validator reads what every case expects', () => {
  test('an unreadable expected text is reported with its place and the expected form', () => {
    const text = EXAMPLE.replace('exact_match', 'numeric_match').replace('value: hello', 'value: twelve');
    const bad =
      '      - {challenge_key: c1, case_key: k2, expectations: [{key: result, kind: text, value: 1.5}]}\n';
    expect(readPack(text + bad).problems).toEqual([
      {
        code: 'invalid_expectation',
        severity: 'error',
        field: EXPECTED_FROM,
        line: 10,
        column: 80,
        message:
          'numeric_match cannot read case.expectations.result: expected a number; default/k1 (22:24) has "twelve"',
      },
    ]);
  });

  test.each([
    ['json_path_match', 'billing'],
    ['json_path_match', { path: '$.queue', value: 'billing' }],
    ['json_schema', '{"type": "nothing"}'],
    ['json_schema', 'no JSON'],
    ['regex_match', '(unclosed'],
    ['boolean_assert', 'perhaps'],
    ['math_equivalence', '1 +'],
    ['not_contains', ''],
    ['csv_match', '"open'],
    ['bleu_score', '[]'],
  ])('the validator %s cannot read %j', (type, value) => {
    expect(findingsIn([typed(type), set(`${CASE}.expectations`, [solution(value)])])).toEqual([
      `${EXPECTED_FROM} invalid_expectation`,
    ]);
  });

  const expecting = VALIDATOR_TYPE_NAMES.filter(expectsText).filter(
    (type) => type !== 'trajectory_match' && type !== 'file_content_match',
  );

  test('publishing reports a problem in an expected text exactly when scoring would', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...expecting),
        fc.oneof(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 })),
        (type, value) => {
          const isUsable = readExpected(type, fillConfig(type, undefined), valueText(value)).ok;
          const [first] = problemsIn([typed(type), set(`${CASE}.expectations`, [solution(value)])]);
          fc.pre(first?.code !== 'not_json');
          // An expectation of null is none.
          expect(first?.code).toBe(
            value === null ? 'missing_expectation' : isUsable ? undefined : 'invalid_expectation',
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('the work of comparing is bounded', () => {
  const packOf = (type: string, count: number, value: (index: number) => unknown) =>
    EXAMPLE.replace('exact_match', type) +
    Array.from(
      { length: count },
      (_, index) =>
        `      - {challenge_key: c1, case_key: n${index}, payload: {id: x${index}}, expectations: [{key: result, kind: t, value: ${value(index)}}]}\n`,
    ).join('');

  test('eight thousand cases are read in no more than a few times as long as the document alone', () => {
    const elapsed = (text: string) => {
      const start = performance.now();
      readPack(text);
      return performance.now() - start;
    };
    const text = packOf('numeric_match', 8_000, (index) => index).replace('value: hello', 'value: 1');
    const alone = text.replace('expected_from: case.expectations.result', 'expected_from: literal:1');
    elapsed(alone);
    const ratio = elapsed(text) / elapsed(alone);
    expect(readPack(text).problems).toEqual([]);
    expect(ratio).toBeLessThan(3);
  });

  test('a text that many cases share is read once', () => {
    const text = packOf('regex_match', 8_000, () => 'abc+').replace('value: hello', 'value: a');
    expect(readPack(text).problems).toEqual([]);
  });

  test('comparisons beyond the time limit are not made, and a warning counts them', () => {
    const schema = (index: number) => `'{"const": ${index}}'`;
    const text = packOf('json_schema', 7_000, schema).replace('value: hello', "value: '{}'");
    const [warning, ...others] = readPack(text).problems;
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: 'expectations_not_checked', severity: 'warning' });
    expect(warning?.message).toMatch(/^\d{4} of 7001 cases were not checked: /);
  }, 60_000);

  test('many validators over many cases end as well', () => {
    const more = Array.from(
      { length: 2_000 },
      (_, index) =>
        `      - {key: v${index}, type: exact_match, target: final_output, expected_from: case.expectations.result}\n`,
    ).join('');
    const text = packOf('exact_match', 3_000, () => 'a').replace('    scorecard:', `${more}    scorecard:`);
    const problems = readPack(text).problems.map(({ code }) => code);
    expect(new Set(problems)).toEqual(new Set(['expectations_not_checked']));
  }, 30_000);
});

describe('a judge reads something that every case has', () => {
  const JUDGE = 'version.evaluation_spec.llm_judges[0]';
  const judge = (more: object) =>
    set('version.evaluation_spec.llm_judges', [
      {
        key: 'j',
        mode: 'reference',
        model: 'claude-sonnet-4-5',
        rubric: 'As good as the reference?',
        ...more,
      },
    ]);
  const dimension = append('version.evaluation_spec.scorecard.dimensions', {
    ...{ key: 'quality', source: 'llm_judge', judge_key: 'j' },
  });
  const llm = set('version.evaluation_spec.judge_mode', 'hybrid');

  test.each([
    ['reference_from', { reference_from: 'case.expectations.gold' }, `${JUDGE}.reference_from`],
    [
      'context_from',
      { reference_from: 'case.expectations.result', context_from: ['final_output', 'case.inputs.style'] },
      `${JUDGE}.context_from[1]`,
    ],
  ])('a value read by %s that no case has is an error at its place', (_, more, field) => {
    expect(findingsIn([judge(more), dimension, llm])).toEqual([`${field} missing_expectation`]);
  });

  test('no problem is reported where every case has the value', () => {
    const more = { reference_from: 'case.expectations.result', context_from: ['case.inputs.prompt'] };
    expect(findingsIn([judge(more), dimension, llm])).toEqual([]);
  });
});

describe('an expected value that lies in a file beside the pack', () => {
  const patches = [
    set('version.assets', [{ key: 'gold', path: 'gold.txt' }]),
    typed('numeric_match'),
    set(`${CASE}.expectations`, [{ key: 'result', kind: 'number', source: 'artifact:gold' }]),
  ];
  const found = (text: string | undefined) =>
    problemsIn(patches, { fileText: () => text }).map(({ code, field, message }) => [code, field, message]);

  test('an expected value in a file is read as scoring will read it, where the text of the file is known', () => {
    expect(found('twelve')).toEqual([
      ['invalid_expectation', EXPECTED_FROM, expect.stringContaining('has "twelve"')],
    ]);
    expect(found('12')).toEqual([]);
  });

  test('an expected value in a file is not compared where the text of the file is unknown', () => {
    expect(found(undefined)).toEqual([]);
    expect(problemsIn(patches)).toEqual([]);
  });
});
