import { expect, test } from '@jest/globals';
import { executionModeOf } from '../publish/agent-view.js';
import { append, findingsIn, manifestWith, set } from '../testing/example-pack.js';

const SIMULATOR = 'input_sets.0.cases.0.user_simulator';
const TESTS = {
  ...{ key: 'tests', type: 'code_execution' },
  config: { test_command: 'true', reports: [{ path: '/tmp/reward.txt', format: 'reward' }] },
};
const phase = (id: string, more: object = {}) => ({
  id,
  actor: 'scripted',
  turns: [{ message: id }],
  ...more,
});
const gate = { validator: 'tests', min_score: 0.5 };

const patches = (...phases: object[]) => [
  append('version.evaluation_spec.validators', TESTS),
  set('challenges.0.execution_mode', 'multi_turn'),
  set(SIMULATOR, { schema_version: 1, kind: 'hybrid', phases }),
];
const findings = (...phases: object[]) =>
  findingsIn(patches(...phases)).map((found) => found.replace(/^.*user_simulator\./, ''));

test('a phase has a gate, and a later one follows when it is passed', () => {
  const passed = { trigger: 'on_gate_passed' };
  expect(findings(phase('a', { gate }), phase('b', { ...passed, gate: { validator: 'tests' } }))).toEqual([]);
  expect(findings(phase('a', { gate }), phase('b', { trigger: 'manual' }), phase('c', passed))).toEqual([]);
  expect(findings(phase('a'), phase('b', passed))).toEqual(['phases[1].trigger contradiction']);
});

test.each([
  [{ validator: 'absent' }, 'phases[0].gate.validator unknown_reference'],
  [{ validator: 'exact' }, 'phases[0].gate.validator contradiction'],
  [{ min_score: 1 }, 'phases[0].gate.validator required'],
  [{ validator: 'tests', min_score: 2 }, 'phases[0].gate.min_score out_of_range'],
])('the gate %j is refused as %s', (written, finding) => {
  expect(findings(phase('a', { gate: written }))).toEqual([finding]);
});

test('a challenge of conversations in a native pack needs a simulator in its cases, and the others have none', () => {
  const simulator = { schema_version: 1, kind: 'hybrid', phases: [phase('a')] };
  expect(findingsIn([set('challenges.0.execution_mode', 'multi_turn')])).toEqual([`${at(0)} required`]);
  expect(findingsIn([set(SIMULATOR, simulator)])).toEqual([`${at(0)} mode_conflict`]);
  const other = { key: 'c2', title: 'Other', category: 'basics', difficulty: 'easy', instructions: 'Do.' };
  const mixed = [
    ...patches(phase('a', { gate })),
    append('challenges', other),
    append('input_sets.0.cases', {
      challenge_key: 'c2',
      case_key: 'k2',
      expectations: [{ key: 'result', kind: 'text', value: 'x' }],
    }),
  ];
  expect(findingsIn(mixed)).toEqual([]);
  const manifest = manifestWith(...mixed);
  expect(['c1', 'c2'].map((challenge_key) => executionModeOf(manifest, { challenge_key }))).toEqual([
    'multi_turn',
    'native',
  ]);
  expect(findingsIn([...mixed, set('input_sets.0.cases.1.user_simulator', simulator)])).toEqual([
    `${at(1)} mode_conflict`,
  ]);
});

test('modes without a workspace have no challenges of another mode', () => {
  const found = findingsIn([...patches(phase('a')), set('version.execution_mode', 'responses')]);
  expect(found).toContain('challenges[0].execution_mode mode_conflict');
});

function at(index: number): string {
  return `input_sets[0].cases[${index}].user_simulator`;
}
