import { expect, test } from '@jest/globals';
import { append, findingsIn, problemsIn, set } from '../testing/example-pack.js';
import type { Patch } from '../testing/vectors/patch.js';

const TESTS = 'version.evaluation_spec.validators[1].config.harness.tests';
const CASE = 'input_sets.0.cases.0';

const graded = (tests: string, when?: string): Patch =>
  append('version.evaluation_spec.validators', {
    key: 'tests',
    type: 'code_execution',
    ...(when !== undefined && { when }),
    config: { harness: { adapter: 'pytest', tests, code: ['solution.py'] } },
  });

const withAsset = (owner: string, file: object): Patch[] => [
  set(`${owner}.assets`, [{ key: 'hidden', path: 'tests/test_all.py' }]),
  set(`${owner}.grader_files`, [{ artifact_key: 'hidden', ...file }]),
];

test('tests that no file of the grader and no expectation has are missing, with the cases that lack them', () => {
  const [problem, ...more] = problemsIn([graded('tests.json')]);
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ field: TESTS, code: 'missing_expectation', severity: 'error' });
  expect(problem?.message).toBe(
    '1 of 1 cases have no tests at /grader/tests.json (default/k1): give them as grader_files, or as an expectation with the key tests.json',
  );
});

test.each<[string, string, Patch[]]>([
  [
    'an expectation',
    'tests.json',
    [append(`${CASE}.expectations`, { key: 'tests.json', kind: 'text', value: 'x' })],
  ],
  ['a file of the version by its path', 'tests/test_all.py', withAsset('version', {})],
  ['a file of the challenge below the folder', './tests/', withAsset('challenges.0', {})],
  [
    'a file of the case at an absolute path',
    '/grader/own',
    withAsset(CASE, { path: '/grader/own/test_a.py' }),
  ],
])('tests are found as %s', (_name, tests, patches) => {
  expect(findingsIn([graded(tests), ...patches])).toEqual([]);
});

test('a file beside the folder of the tests is none of them', () => {
  const beside = withAsset('version', { path: 'tests-of-others/test_a.py' });
  expect(findingsIn([graded('tests'), ...beside])).toEqual([`${TESTS} missing_expectation`]);
});

test('a case that the validator does not judge needs no tests', () => {
  expect(findingsIn([graded('tests', 'case.expectations.result')])).toEqual([`${TESTS} missing_expectation`]);
  expect(findingsIn([graded('tests', 'case.inputs.code')])).not.toContain(`${TESTS} missing_expectation`);
});

test('a file of the grader that cannot be read leaves the tests unknown', () => {
  const faulty = set('version.grader_files', [{ artifact_key: 7 }]);
  expect(findingsIn([graded('tests'), faulty])).not.toContain(`${TESTS} missing_expectation`);
});
