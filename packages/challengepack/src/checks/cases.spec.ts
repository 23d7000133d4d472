import { describe, expect, test } from '@jest/globals';
import { append, findingsIn, problemsIn, remove, set } from '../testing/example-pack.js';

const CASE = 'input_sets[0].cases[0]';
const SUBMISSION = { key: 'result', kind: 'text', value: 'a' };
const SECOND = { key: 'c2', title: 'T', category: 'x', difficulty: 'hard' };

describe('challenges and the cases that name them', () => {
  test('references to challenges are not checked where the challenges could not be read', () => {
    expect(findingsIn([set('challenges', 5)])).toEqual(['challenges type_mismatch']);
    expect(findingsIn([remove('challenges')])).toEqual(['challenges required']);
    expect(findingsIn([set('challenges[0].key', ['c1'])])).toEqual(['challenges[0].key type_mismatch']);
    expect(findingsIn([set('challenges[0]', 'c1')])).toEqual(['challenges[0] type_mismatch']);
  });

  test('a challenge whose key is missing does not exist for references', () => {
    expect(findingsIn([set('challenges[0].key', ' ')])).toEqual([
      'challenges[0].key required',
      `${CASE}.challenge_key unknown_reference`,
    ]);
  });

  test('the cases of an input set may belong to several challenges', () => {
    const second = { challenge_key: 'c2', case_key: 'k2', expectations: [SUBMISSION] };
    expect(findingsIn([append('challenges', SECOND), append('input_sets[0].cases', second)])).toEqual([]);
    expect(findingsIn([append('input_sets[0].cases', { ...second, challenge_key: 'c9' })])).toEqual([
      'input_sets[0].cases[1].challenge_key unknown_reference',
    ]);
  });

  test('instructions are filled in for the cases of their own challenge only, in a set of several', () => {
    const challenge = { ...SECOND, instructions: 'Write {{word}}.' };
    const second = { challenge_key: 'c2', case_key: 'k2', expectations: [SUBMISSION] };
    const findings = (payload: object) =>
      findingsIn([append('challenges', challenge), append('input_sets[0].cases', { ...second, payload })]);
    expect(findings({ word: 'hi' })).toEqual([]);
    expect(findings({})).toEqual(['challenges[1].instructions unresolved_placeholder']);
  });

  test('a challenge is not called unused where a case could not be read', () => {
    expect(findingsIn([append('challenges', SECOND), append('input_sets[0].cases', 5)])).toEqual([
      'input_sets[0].cases[1] type_mismatch',
    ]);
  });

  test('a repeated key is not also unused', () => {
    expect(findingsIn([append('challenges', SECOND), append('challenges', SECOND)])).toEqual([
      'challenges[1].key unused_challenge',
      'challenges[2].key not_unique',
    ]);
  });
});

describe('the sandbox of a case', () => {
  const AT = `${CASE}.sandbox`;

  test('a case sets sizes and variables within bounds', () => {
    const sandbox = { cpu: 0.5, memory_mb: 16, disk_mb: 1, env_vars: { LANG: 'C' }, network_access: false };
    expect(findingsIn([set(AT, sandbox)])).toEqual([]);
    expect(findingsIn([set(AT, { cpu: 0, memory_mb: 15, disk_mb: 0, env_vars: { 'a b': '${X}' } })])).toEqual(
      [
        `${AT}.cpu out_of_range`,
        `${AT}.memory_mb out_of_range`,
        `${AT}.disk_mb out_of_range`,
        `${AT}.env_vars["a b"] malformed`,
        `${AT}.env_vars["a b"] env_placeholder`,
      ],
    );
    expect(findingsIn([set(AT, { network_access: null })])).toEqual([`${AT}.network_access type_mismatch`]);
  });

  test('a case takes the network of the pack away, and brings none', () => {
    const withNetwork = set('version.sandbox', { network_access: true });
    expect(findingsIn([set(AT, { network_access: true })])).toEqual([`${AT}.network_access contradiction`]);
    expect(findingsIn([withNetwork, set(AT, { network_access: true })])).toEqual([]);
  });

  test('a case of a mode without sandboxes has none', () => {
    const mode = [set('version.execution_mode', 'prompt_eval'), set('challenges[0].instructions', 'Reply.')];
    expect(findingsIn([...mode, set(AT, { cpu: 1 })])).toEqual([`${AT} mode_conflict`]);
  });
});

describe('keys of cases', () => {
  test('a case needs one of case_key and item_key', () => {
    expect(findingsIn([remove(`${CASE}.case_key`)])).toEqual([`${CASE}.case_key required`]);
    expect(findingsIn([set(`${CASE}.case_key`, null)])).toEqual([`${CASE}.case_key type_mismatch`]);
  });

  test('a repeated effective key is reported where it was written', () => {
    const repeated = { challenge_key: 'c1', case_key: ' ', item_key: 'k1' };
    expect(findingsIn([append('input_sets[0].cases', repeated)])).toEqual([
      'input_sets[0].cases[1].item_key not_unique',
    ]);
  });

  test('a key of 129 code points is too long, one of 128 astral ones is not', () => {
    expect(findingsIn([set(`${CASE}.case_key`, '😀'.repeat(128))])).toEqual([]);
    expect(findingsIn([set(`${CASE}.case_key`, 'k'.repeat(129))])).toEqual([`${CASE}.case_key too_long`]);
  });
});

describe('legacy items', () => {
  const item = { challenge_key: 'c1', item_key: 'i1', payload: { workspace_files: [5] } };

  test('legacy items beside cases are dropped unread', () => {
    expect(findingsIn([set('input_sets[0].items', [{ nonsense: 1 }])])).toEqual([
      'input_sets[0].items value_ignored',
    ]);
  });

  test('legacy items without cases are read at their own place', () => {
    expect(findingsIn([remove('input_sets[0].cases'), set('input_sets[0].items', [item])])).toEqual([
      'input_sets[0].items[0].payload["workspace_files"][0] type_mismatch',
    ]);
  });

  test('legacy items do not hide cases of the wrong type', () => {
    const items = set('input_sets[0].items', [{ ...item, payload: {} }]);
    expect(findingsIn([set('input_sets[0].cases', 5), items])).toEqual(['input_sets[0].cases type_mismatch']);
  });

  test('unreadable legacy items do not make cases missing as well', () => {
    expect(findingsIn([remove('input_sets[0].cases'), set('input_sets[0].items', 5)])).toEqual([
      'challenges[0].key unused_challenge',
      'input_sets[0].items type_mismatch',
    ]);
  });

  test('legacy items have no user simulator, and need one in multi_turn', () => {
    const patches = [remove('input_sets[0].cases'), set('input_sets[0].items', [{ ...item, payload: {} }])];
    expect(findingsIn([...patches, set('version.execution_mode', 'multi_turn')])).toEqual([
      'input_sets[0].items[0].user_simulator required',
    ]);
    expect(findingsIn([...patches, set('input_sets[0].items[0].user_simulator', {})])).toEqual([
      'input_sets[0].items[0].user_simulator misplaced_key',
    ]);
  });
});

describe('files written into a case', () => {
  const files = (value: unknown) => findingsIn([set(`${CASE}.payload["workspace_files"]`, value)]);
  const at = `${CASE}.payload["workspace_files"]`;

  test.each([
    [[{ path: '/workspace/a', content: '' }], []],
    [[{ path: '/workspacea', content: '' }], [`${at}[0]["path"] unsafe_path`]],
    [[{ path: 'C:a', content: '' }], [`${at}[0]["path"] unsafe_path`]],
    [[{ path: 'a\u0007', content: '' }], [`${at}[0]["path"] unsafe_path`]],
    [[{ path: ' ', content: '', mode: 7 }], [`${at}[0]["path"] required`]],
    [[{ path: 'a' }], [`${at}[0]["content"] required`]],
    [{}, [`${at} type_mismatch`]],
  ])('the files %j in a case have the problems %j', (value, findings) => {
    expect(files(value)).toEqual(findings);
  });

  test('only the value of an input of kind workspace is a list of files', () => {
    const input = (kind: string) => findingsIn([append(`${CASE}.inputs`, { key: 'i', kind, value: 'x' })]);
    expect(input('text')).toEqual([]);
    expect(input('workspace')).toEqual([`${CASE}.inputs[1].value type_mismatch`]);
  });
});

describe('templates', () => {
  const command = (text: string) =>
    findingsIn([
      set('version.evaluation_spec.post_execution_checks', [
        { key: 'main', type: 'file_capture', path: 'm' },
      ]),
      append('version.evaluation_spec.validators', {
        key: 'run',
        type: 'code_execution',
        target: 'file:main',
        config: { test_command: text, report_path: 'r.xml' },
      }),
      append('input_sets[0].cases', {
        challenge_key: 'c1',
        case_key: 'k2',
        payload: { only: { second: 1 } },
        expectations: [{ key: 'result', kind: 'text', value: 'a' }],
      }),
    ]);
  const at = 'version.evaluation_spec.validators[1].config.test_command';

  test('a test command resolves for every case, or is reported once per placeholder', () => {
    expect(command('{{topic}} {{topic}} {{only.second}}')).toEqual([
      `${at} unresolved_placeholder`,
      `${at} unresolved_placeholder`,
    ]);
    expect(command('{{ 1x }} {{a b}} {topic}')).toEqual([]);
    expect(command('{{topic.}}')).toEqual([`${at} invalid_placeholder`]);
  });

  test('a placeholder in instructions that some case has no value for is an error, wherever they are written', () => {
    const second = { challenge_key: 'c1', case_key: 'k2', expectations: [SUBMISSION] };
    const instructed = (text: string) =>
      findingsIn([set('challenges[0].instructions', text), append('input_sets[0].cases', second)]);
    const instructions = 'challenges[0].instructions';
    expect(instructed('Tag {{nothere}}.')).toEqual([`${instructions} unresolved_placeholder`]);
    expect(instructed('Tag {{topic}}.')).toEqual([`${instructions} unresolved_placeholder`]);
    expect(instructed('Write { {topic} } and {{ 1x }}.')).toEqual([]);
    expect(
      findingsIn([
        remove(instructions),
        set('challenges[0].definition', { instructions: 'Tag {{prompt}} and {{nope}}.' }),
      ]),
    ).toEqual(['challenges[0].definition["instructions"] unresolved_placeholder']);
  });

  test('the problem of a placeholder names the first five cases without a value', () => {
    const cases = Array.from({ length: 8 }, (_, index) => ({
      challenge_key: 'c1',
      case_key: `n${index}`,
      expectations: [SUBMISSION],
    }));
    const problems = problemsIn([
      set('challenges[0].instructions', 'About {{topic}}.'),
      set('input_sets[0].cases', cases),
    ]);
    const problem = problems.find(({ code }) => code === 'unresolved_placeholder');
    expect(problem?.message).toBe(
      '{{topic}} has no value in default/n0, default/n1, default/n2, default/n3, default/n4, and more',
    );
  });

  test.each([
    ['Tag {{topic', 'topic'],
    ['Tag {{ topic }.\nThen }} stop.', 'topic'],
    ['Tag {{topic}} and {{x', 'x'],
  ])('a placeholder that is not closed on its line is an error: %j', (text, path) => {
    const instructions = set('challenges[0].instructions', text);
    expect(problemsIn([instructions])).toEqual([
      expect.objectContaining({
        code: 'unresolved_placeholder',
        field: 'challenges[0].instructions',
        message: `{{${path} is not closed: write {{${path}}}`,
      }),
    ]);
  });

  test.each([
    'int grid[2][2] = {{a, b}, {c, d}};',
    'A block such as {{#each rows}} or {{ row | upper }}',
    'An unclosed {{ 1',
  ])('other braces are plain text: %s', (text) => {
    expect(findingsIn([set('challenges[0].instructions', text)])).toEqual([]);
  });
});
