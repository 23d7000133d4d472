import { describe, expect, test } from '@jest/globals';
import { EXAMPLE } from '../testing/example-pack.js';
import { readPack } from './read-pack.js';

/** The one problem that a change of the example causes at a field. */
function problemOf(field: string, from: string | RegExp, to: string) {
  const text = EXAMPLE.replace(from, to);
  expect(text).not.toBe(EXAMPLE);
  return readPack(text).problems.find((problem) => problem.field === field);
}

const VALIDATORS = /validators:\n[\s\S]*?(?=\n {4}scorecard:)/;
const validator = (text: string) => `validators:\n      - ${text}`;
const AT = 'version.evaluation_spec.validators[0]';

describe('a problem suggests what was meant', () => {
  test('a part of a config key is enough for a suggestion: mode for match_mode', () => {
    const written = validator(
      '{key: v, type: file_content_match, target: "file:x", expected_from: "literal:a", config: {mode: exact}}',
    );
    expect(problemOf(`${AT}.config.mode`, VALIDATORS, written)).toMatchObject({
      code: 'unknown_key',
      severity: 'error',
      suggestion: 'match_mode',
      message: 'unknown key; did you mean match_mode?',
    });
  });

  test('a part of a type is enough for a suggestion, and the question comes before the list', () => {
    const written = validator('{key: v, type: json_path, target: final_output}');
    expect(problemOf(`${AT}.type`, VALIDATORS, written)).toMatchObject({
      code: 'unknown_value',
      suggestion: 'json_path_match',
      message: expect.stringMatching(/^unknown value; did you mean json_path_match\? Known: exact_match, /),
    });
  });

  test('a target that is no reference lists the forms and names the nearest', () => {
    const written = validator('{key: v, type: exact_match, target: finl_output, expected_from: "literal:a"}');
    expect(problemOf(`${AT}.target`, VALIDATORS, written)).toMatchObject({
      code: 'malformed',
      suggestion: 'final_output',
      message: expect.stringMatching(/Did you mean final_output\? The forms are final_output, file:CHECK, /),
    });
  });

  test('a key of a check, of a challenge and of a validator is suggested from the declared keys', () => {
    const check = 'post_execution_checks: [{key: report, type: file_capture, path: r.md}]\n    ';
    const ofCheck = validator('{key: v, type: file_exists, target: "file:reprt"}');
    expect(problemOf(`${AT}.target`, VALIDATORS, `${check}${ofCheck}`)?.suggestion).toBe('file:report');
    const bare = validator('{key: v, type: file_exists, target: report}');
    expect(problemOf(`${AT}.target`, VALIDATORS, `${check}${bare}`)?.suggestion).toBe('file:report');
    const challenge = problemOf(
      'input_sets[0].cases[0].challenge_key',
      /challenge_key: (\w+)/,
      'challenge_key: $1x',
    );
    expect(challenge).toMatchObject({ code: 'unknown_reference', suggestion: expect.any(String) });
    expect(challenge?.message).toContain(`did you mean ${challenge?.suggestion}?`);
  });

  test('an expression that is not RE2 names the part', () => {
    const written = validator(
      "{key: v, type: regex_match, target: final_output, expected_from: 'literal:a(?!b)'}",
    );
    expect(problemOf(`${AT}.expected_from`, VALIDATORS, written)).toMatchObject({
      code: 'invalid_regex',
      message: 'RE2 has no look-ahead: (?! at character 2',
    });
  });

  test.each([
    ['yes', 'true'],
    ['On', 'true'],
    ['no', 'false'],
    ['off', 'false'],
    ['"true"', 'true'],
  ])('a boolean written %s suggests %s', (written, suggestion) => {
    const problem = problemOf(
      'version.tool_policy.allow_shell',
      /^version:\n/m,
      `version:\n  tool_policy: {allow_shell: ${written}}\n`,
    );
    expect(problem).toMatchObject({ code: 'type_mismatch', suggestion });
    expect(problem?.message).toContain(suggestion);
  });
});

describe('an unknown member of the document', () => {
  const codes = (text: string) =>
    readPack(text).problems.map(({ code, severity, field }) => `${severity} ${code} ${field}`);

  test('an unknown member with a name close to a known one makes a pack invalid', () => {
    expect(codes(EXAMPLE.replace(/^input_sets:/m, 'input_set:'))).toContain('error unknown_key input_set');
    expect(readPack(EXAMPLE.replace(/^input_sets:/m, 'input_set:')).valid).toBe(false);
  });

  test('an unknown member is an error in a pack without input sets, and a warning beside them', () => {
    expect(codes(EXAMPLE.replace(/^input_sets:/m, 'scenarios_of_ours:'))).toContain(
      'error unknown_key scenarios_of_ours',
    );
    expect(codes(`${EXAMPLE}\nnotes_of_ours: {}\n`)).toEqual(['warning unknown_key notes_of_ours']);
    expect(codes(`${EXAMPLE}\ninput_set: []\n`)).toEqual(['warning unknown_key input_set']);
    expect(codes(`${EXAMPLE}\nx-notes: {}\n`)).toEqual([]);
  });
});
