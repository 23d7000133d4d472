import { describe, expect, test } from '@jest/globals';
import { append, findingsIn, problemsIn, remove, set } from '../testing/example-pack.js';
import type { Patch } from '../testing/vectors/patch.js';

const CHALLENGE = 'challenges[0].solution';
const CASE = 'input_sets[0].cases[0]';
const OWN = `${CASE}.solution`;
const WITH_RESULT = set(`${CASE}.expectations`, [{ key: 'result', kind: 'text', value: 'bonjour' }]);

const withAsset = (...patches: Patch[]): Patch[] => [
  set('version.assets', [{ key: 'oracle', path: 'oracle/sort.py' }]),
  set(CHALLENGE, { files: [{ path: 'sort.py', asset: 'oracle' }], run: 'python3 sort.py' }),
  ...patches,
];

describe('a solution', () => {
  test.each([
    ['files and a command', { files: [{ path: 'a.py', content: 'x = {{y}}' }], run: 'python3 a.py' }],
    ['an absolute path', { files: [{ path: '/solution/solve.sh', content: '', executable: true }] }],
    ['a command with its limit', { run: 'make', timeout_seconds: 5, environment: { A: '' } }],
    ['steps', { steps: [{ call: { name: 'exec', arguments: {} }, delay_ms: 1 }, { answer: '' }] }],
    ['an empty answer', { answer: '' }],
    ['an answer of the case', { answer: '{{case.inputs.prompt}}, {{ case.payload.topic }}' }],
    ['a reference', { answer_from: 'case.expectations.result' }],
  ])('a solution may have %s, at a challenge and at a case', (_name, solution) => {
    expect(findingsIn([set(CHALLENGE, solution)])).toEqual([]);
    expect(findingsIn([set(OWN, solution)])).toEqual([]);
  });

  test.each([
    ['nothing to play', { files: [] }, ['', 'required']],
    ['no steps', { steps: [] }, ['.steps', 'required']],
    ['a limit of nothing', { answer: 'x', timeout_seconds: 5 }, ['.timeout_seconds', 'value_ignored']],
    ['a misspelt field', { answr: '1', answer: '1' }, ['.answr', 'unknown_key']],
    [
      'steps and files',
      { steps: [{ answer: '' }], files: [{ path: 'a', content: '' }] },
      ['.files', 'contradiction'],
    ],
    ['steps and an answer', { steps: [{ answer: '' }], answer: 'x' }, ['.answer', 'contradiction']],
    [
      'an answer twice',
      { answer: 'x', answer_from: 'case.inputs.prompt' },
      ['.answer_from', 'exactly_one_of'],
    ],
    ['a file without content', { files: [{ path: 'a' }] }, ['.files[0]', 'exactly_one_of']],
    [
      'a path twice',
      { files: ['a', './a'].map((path) => ({ path, content: '' })) },
      ['.files[1].path', 'not_unique'],
    ],
    ['a path that climbs', { files: [{ path: '../a', content: '' }] }, ['.files[0].path', 'unsafe_path']],
    ['an unknown asset', { files: [{ path: 'a', asset: 'none' }] }, ['.files[0].asset', 'unknown_reference']],
    ['a step with two actions', { steps: [{ message: 'a', answer: 'b' }] }, ['.steps[0]', 'exactly_one_of']],
    ['a step without an action', { steps: [{ delay_ms: 1 }] }, ['.steps[0]', 'exactly_one_of']],
    [
      'a call without arguments',
      { steps: [{ call: { name: 'x' } }] },
      ['.steps[0].call.arguments', 'required'],
    ],
    ['no time', { run: 'true', timeout_seconds: 0 }, ['.timeout_seconds', 'out_of_range']],
    [
      'an environment without a command',
      { answer: 'x', environment: { A: 'b' } },
      ['.environment', 'value_ignored'],
    ],
    ['a reference to no case', { answer_from: 'literal:42' }, ['.answer_from', 'malformed']],
    ['a malformed placeholder', { answer: '{{case.inputs}}' }, ['.answer', 'malformed']],
    [
      'a value that is not there',
      { answer_from: 'case.inputs.other' },
      ['.answer_from', 'unresolved_placeholder'],
    ],
  ])('a solution with %s is reported where it is written', (_name, solution, [field, code]) => {
    const findings = (at: string) => [`${at}${field} ${code}`];
    expect(findingsIn([set(CHALLENGE, solution)])).toEqual(findings(CHALLENGE));
    expect(findingsIn([set(OWN, solution)])).toEqual(findings(OWN));
  });

  test('a value that some cases lack is one problem of the challenge, which names them', () => {
    const cases = Array.from({ length: 7 }, (_, index) => ({
      challenge_key: 'c1',
      case_key: `n${index}`,
      payload: { index },
    }));
    const problems = problemsIn([
      WITH_RESULT,
      set('version.evaluation_spec.validators[0].when', 'case.expectations.result'),
      set('version.evaluation_spec.validators[1]', {
        key: 'any',
        type: 'contains',
        target: 'final_output',
        expected_from: 'literal:b',
      }),
      set(CHALLENGE, { answer: 'It is {{case.expectations.result}}.' }),
      ...cases.map((each) => append('input_sets[0].cases', each)),
    ]);
    expect(problems).toEqual([
      expect.objectContaining({
        field: `${CHALLENGE}.answer`,
        message:
          'case.expectations.result has no value in default/n0, default/n1, default/n2, default/n3, default/n4 and 2 more',
      }),
    ]);
  });

  test('an expectation that cannot be read is one problem, and not missing as well', () => {
    const unreadable = [set(`${CASE}.expectations`, [{ key: 'result', kind: 'text', value: '\ud800' }])];
    expect(findingsIn([...unreadable, set(CHALLENGE, { answer_from: 'case.expectations.result' })])).toEqual([
      `${CASE}.expectations[0].value not_json`,
    ]);
  });

  test('a case with a solution of its own needs nothing of that of its challenge', () => {
    const patches = [set(CHALLENGE, { answer_from: 'case.inputs.other' }), set(OWN, { answer: 'hello' })];
    expect(findingsIn(patches)).toEqual([]);
  });

  test('a placeholder that nothing fills is an error in the answer for many cases, and text in that of one', () => {
    expect(problemsIn([set(CHALLENGE, { answer: '{{topic}}' })])).toEqual([
      expect.objectContaining({
        field: `${CHALLENGE}.answer`,
        code: 'unknown_placeholder',
        suggestion: '{{case.payload.topic}}',
      }),
    ]);
    expect(findingsIn([set(OWN, { answer: '{{topic}}' })])).toEqual([]);
  });

  test('a file can be a whole answer, and no part of one', () => {
    const file = [
      set('version.assets', [{ key: 'gold', path: 'gold.txt' }]),
      set(`${CASE}.expectations`, [{ key: 'result', kind: 'text', artifact_key: 'gold' }]),
    ];
    const findings = (answer: string) =>
      findingsIn([...file, set(CHALLENGE, { answer })], { fileText: () => 'x' });
    expect(findings('{{case.expectations.result}}')).toEqual([]);
    expect(findings('{{artifact.gold}}')).toEqual([]);
    expect(findings('{{artifact.gold.path}} is the path')).toEqual([]);
    expect(findings('It is {{case.expectations.result}}.')).toEqual([`${CHALLENGE}.answer contradiction`]);
  });

  test('a text that grows beyond its limit with the values of the case is reported', () => {
    const long = 'x'.repeat(300_000);
    const content = '{{case.payload.long}}'.repeat(4);
    expect(
      findingsIn([set(`${CASE}.payload.long`, long), set(CHALLENGE, { files: [{ path: 'a', content }] })]),
    ).toEqual([`${CHALLENGE}.files[0].content too_long`]);
  });

  test('a solution without a workspace is an answer', () => {
    const mode = [set('version.execution_mode', 'prompt_eval')];
    expect(findingsIn([...mode, set(CHALLENGE, { answer: 'hello' })])).toEqual([]);
    expect(findingsIn([...mode, set(CHALLENGE, { run: 'true' })])).toEqual([
      `${CHALLENGE}.run mode_conflict`,
    ]);
  });
});

describe('an asset of a solution', () => {
  test('an asset that only a solution names counts as used', () => {
    expect(findingsIn(withAsset())).toEqual([]);
    expect(findingsIn(withAsset(remove(CHALLENGE)))).toEqual(['version.assets[0].key unused_asset']);
  });

  test('an asset that a solution names has to be beside the pack', () => {
    expect(findingsIn(withAsset(), { fileExists: () => false })).toEqual([
      'version.assets[0].path artifact_not_found',
    ]);
  });

  test.each([
    ['a file of the challenge', set('challenges[0].artifact_refs', [{ key: 'oracle' }])],
    ['a file of the case', set(`${CASE}.artifacts`, [{ key: 'oracle' }])],
    ['an input', append(`${CASE}.inputs`, { key: 'file', kind: 'file', artifact_key: 'oracle' })],
    [
      'a file of a server',
      set('tools', {
        mcp_servers: [
          { name: 'sorts', command: ['python3', 'sort.py'], files: [{ artifact_key: 'oracle' }] },
        ],
      }),
    ],
  ])('an asset of a solution that is %s as well is an error', (_name, patch) => {
    const isServer = JSON.stringify(patch).includes('mcp_servers');
    const shell = isServer ? [set('version.tool_policy', { allow_shell: true })] : [];
    expect(findingsIn(withAsset(patch, ...shell))).toEqual([`${CHALLENGE}.files[0].asset visible_solution`]);
  });

  test('a file of a solution that agents get under another key is an error', () => {
    const again = append('version.assets', { key: 'given', path: 'oracle/sort.py' });
    expect(findingsIn(withAsset(again, set('challenges[0].artifact_refs', [{ key: 'given' }])))).toEqual([
      `${CHALLENGE}.files[0].asset visible_solution`,
    ]);
  });

  test('a file of a solution in the folder of a Dockerfile is an error: it could be copied into the image', () => {
    const dockerfile = append('version.assets', { key: 'docker', path: 'oracle/Dockerfile' });
    expect(
      findingsIn(withAsset(dockerfile, set('version.sandbox', { dockerfile: 'oracle/Dockerfile' }))),
    ).toEqual([`${CHALLENGE}.files[0].asset visible_solution`]);
  });

  test('graders and expectations may have the file of a solution, too', () => {
    const grader = set('version.grader_files', [{ artifact_key: 'oracle' }]);
    const expected = append(`${CASE}.expectations`, { key: 'code', kind: 'text', artifact_key: 'oracle' });
    expect(findingsIn(withAsset(grader, expected))).toEqual([]);
  });
});
