import { expect, test } from '@jest/globals';
import { findingsIn, set } from '../testing/example-pack.js';

const AT = 'input_sets[0].cases[0].user_simulator';

function inSimulator(phases: object[], more: object = {}): string[] {
  const simulator = { schema_version: 1, kind: 'hybrid', phases, ...more };
  return findingsIn([set('version.execution_mode', 'multi_turn'), set(AT, simulator)]).map((finding) =>
    finding.replace(`${AT}.`, ''),
  );
}

const OPEN = { id: 'open', actor: 'scripted', turns: [{ message: 'Hi' }] };
const expecting = (expectation: object) => [
  { ...OPEN, turns: [{ message: 'Hi', expects: [{ key: 'e', ...expectation }] }] },
];

test.each([
  ['an absent later trigger', [OPEN, { ...OPEN, id: 'b' }], ['phases[1].trigger trigger_position']],
  [
    'always on a later phase',
    [OPEN, { ...OPEN, id: 'b', trigger: 'always' }],
    ['phases[1].trigger trigger_position'],
  ],
  [
    'an unexecuted first trigger',
    [{ ...OPEN, trigger: 'on_judge_below' }],
    ['phases[0].trigger trigger_position'],
  ],
  ['a faulty trigger', [OPEN, { ...OPEN, id: 'b', trigger: ['x'] }], ['phases[1].trigger type_mismatch']],
  ['a model without an actor', [{ id: 'a', model: 'm' }], ['phases[0].actor required']],
  ['turns of another actor', [{ id: 'a', actor: 'human', turns: [{}] }], ['phases[0].turns value_ignored']],
  [
    'a persona of another actor',
    [{ ...OPEN, persona: ['p'] }],
    ['phases[0].persona type_mismatch', 'phases[0].persona value_ignored'],
  ],
  [
    'a blank condition text',
    [{ id: 'a', actor: 'llm', persona: 'p', until: ['user_token: '] }],
    ['phases[0].until[0] condition_not_executed'],
  ],
  ['a schema version', [OPEN], ['schema_version unknown_value'], { schema_version: 2 }],
  [
    'a rate of zero',
    [OPEN],
    ['calibration.sample_rate out_of_range'],
    { calibration: { enabled: true, sample_rate: 0 } },
  ],
  [
    'an unknown comparison',
    [OPEN],
    ['post_run.arena.comparison unknown_value'],
    { post_run: { arena: { enabled: true, comparison: 'vote' } } },
  ],
  [
    'the type of a disabled block',
    [OPEN],
    ['calibration.sample_rate type_mismatch'],
    { calibration: { sample_rate: '1' } },
  ],
  ['no phases', [], ['phases required']],
])(
  'the checks of a simulator report each problem at its field: %s',
  (_what, phases, findings, more: object = {}) => {
    expect(inSimulator(phases, more)).toEqual(findings);
  },
);

test.each([
  ['nothing to compare with', { kind: 'contains' }, ['value required']],
  ['a source', { kind: 'contains', source: 'input:prompt' }, []],
  ['a null value', { kind: 'contains', value: null }, ['value required']],
  ['a pattern that is no text', { kind: 'regex_match', value: 7 }, ['value invalid_regex']],
  ['a pattern that is not RE2', { kind: 'regex_match', value: '(?=a)' }, ['value invalid_regex']],
  ['another kind', { kind: 'Contains' }, ['kind expectation_not_executed']],
])('an expectation with %s, %j, has the problems %j', (_what, expectation, findings) => {
  const at = 'phases[0].turns[0].expects[0]';
  expect(inSimulator(expecting(expectation))).toEqual(findings.map((finding) => `${at}.${finding}`));
});
