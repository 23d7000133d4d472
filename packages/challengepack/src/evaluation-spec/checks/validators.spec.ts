import { describe, expect, test } from '@jest/globals';
import { findings, ofConfig, ofJudge, ofValidator, SUBMISSION } from '../../testing/spec-findings.js';

describe('validator targets', () => {
  test('the target tool_calls is for tool types, and tool types have no other target', () => {
    const config = { tool_name: 'x' };
    expect(ofValidator({ type: 'tool_call_assertion', target: 'tool_calls', config })).toEqual([]);
    expect(ofValidator({ type: 'tool_call_assertion', target: 'final_output', config })).toEqual([
      'target malformed',
    ]);
    expect(ofValidator({ ...SUBMISSION, target: 'tool_calls' })).toEqual(['target malformed']);
  });

  test('a directory listing is not file content, and a file capture is not a directory', () => {
    const config = { required_files: ['a'] };
    expect(ofValidator({ type: 'directory_structure', target: 'file:tree', config })).toEqual([]);
    expect(ofValidator({ type: 'directory_structure', target: 'file:report', config })).toEqual([
      'target contradiction',
    ]);
    const content = { type: 'file_content_match', expected_from: 'literal:x' };
    expect(ofValidator({ ...content, target: 'file:report' })).toEqual([]);
    expect(ofValidator({ ...content, target: 'file:tree' })).toEqual(['target contradiction']);
  });

  test('a command judges the workspace without a target, and no other type does without one', () => {
    const config = { test_command: 'npm test', reports: [{ path: '/tmp/reward.txt', format: 'reward' }] };
    expect(ofValidator({ type: 'code_execution', target: '', config })).toEqual([]);
    expect(ofValidator({ type: 'code_execution', target: 'file:nothing', config })).toEqual([
      'target unknown_reference',
    ]);
    expect(ofValidator({ type: 'file_exists', target: '' })).toEqual(['target required']);
    expect(ofValidator({ ...SUBMISSION, target: '' })).toEqual(['target required']);
  });

  test('existence may be required of files and directories', () => {
    for (const target of ['file:report', 'file:tree']) {
      expect(ofValidator({ type: 'file_exists', target })).toEqual([]);
      expect(ofConfig('postcondition', { condition: 'not_exists' }, target)).toEqual([]);
    }
  });

  test('the content of a listing cannot be a postcondition', () => {
    const config = { condition: 'contains', value: 'x' };
    expect(ofValidator({ type: 'postcondition', target: 'file:tree', config })).toEqual([
      'target contradiction',
    ]);
  });

  test('only validators of a text are inverted', () => {
    expect(ofValidator({ ...SUBMISSION, expect: false })).toEqual([]);
    const ofCalls = { type: 'tool_call_assertion', target: 'tool_calls', config: { tool_name: 'x' } };
    expect(ofValidator({ ...ofCalls, expect: false })).toEqual(['expect contradiction']);
    expect(ofValidator({ ...ofCalls, expect: true })).toEqual([]);
  });

  test('a condition names a part of the case', () => {
    expect(ofValidator({ ...SUBMISSION, when: 'case.expectations.language' })).toEqual([]);
    expect(ofValidator({ ...SUBMISSION, when: 'final_output' })).toEqual(['when malformed']);
    expect(ofValidator({ ...SUBMISSION, when: 'expectations.language' })).toEqual(['when malformed']);
  });

  test('a file reference names a check, in every place', () => {
    expect(ofValidator({ ...SUBMISSION, target: 'file:nope' })).toEqual(['target unknown_reference']);
    expect(ofValidator({ ...SUBMISSION, expected_from: 'file:nope' })).toEqual([
      'expected_from unknown_reference',
    ]);
    expect(ofJudge({ context_from: ['file:nope'] })).toEqual(['context_from[0] unknown_reference']);
  });

  test('a reference to a check is not unknown when the key of a check could not be read', () => {
    const checks = [{ key: ['report'], type: 'file_capture', path: 'x' }];
    expect(
      findings({ validators: [{ ...SUBMISSION, target: 'file:report' }], post_execution_checks: checks }),
    ).toEqual(['post_execution_checks[0].key type_mismatch']);
  });
});

describe('expected_from', () => {
  test.each([
    ['number_range', { min: 1 }],
    ['length_range', { min: 1 }],
    ['xml_valid', {}],
  ])('the type %s compares with its config alone', (type, config) => {
    expect(ofValidator({ type, config, expected_from: 'literal:1' })).toEqual([
      'expected_from contradiction',
    ]);
  });

  test.each([
    ['file_exists', {}],
    ['file_json_schema', { schema: {} }],
    ['code_execution', { test_command: 'make', report_path: 'r.xml' }],
  ])('the type %s has no expected value, so expected_from is ignored', (type, config) => {
    expect(ofValidator({ type, config, target: 'file:report', expected_from: '?' })).toEqual([
      'expected_from value_ignored',
    ]);
  });

  test.each([
    ['regex_match', '[', 'invalid_regex'],
    ['regex_match', '(?<=a)b', 'invalid_regex'],
    ['json_schema', '{"type": 1}', 'invalid_schema'],
    ['json_schema', 'no', 'invalid_schema'],
    ['json_path_match', '{"path": "$.a", "value": 1, "more": 2}', 'malformed'],
    ['numeric_match', 'twelve', 'malformed'],
    ['boolean_assert', 'maybe', 'malformed'],
    ['math_equivalence', '(', 'malformed'],
    ['bleu_score', '[]', 'malformed'],
    ['not_contains', '', 'malformed'],
  ])('a literal of %s is parsed when the spec is checked: %j is %s', (type, text, code) => {
    expect(ofValidator({ type, expected_from: `literal:${text}` })).toEqual([`expected_from ${code}`]);
  });

  test('a literal is parsed with the config of its validator', () => {
    const type = 'numeric_match';
    expect(ofValidator({ type, expected_from: 'literal:about 5 km' })).toEqual(['expected_from malformed']);
    expect(ofValidator({ type, expected_from: 'literal:about 5 km', config: { extract: 'only' } })).toEqual(
      [],
    );
    expect(
      ofValidator({ type, expected_from: 'literal:about 5 km', config: { extract_number: true } }),
    ).toEqual(['config.extract_number deprecated']);
    expect(
      ofValidator({ type, expected_from: 'literal:about 5 km', config: { extract_number: 'yes' } }),
    ).toEqual(['config.extract_number type_mismatch']);
  });

  test('a trajectory is written in the config or named by expected_from, not both', () => {
    const base = { type: 'trajectory_match', target: 'tool_calls' };
    expect(findings({ validators: [{ key: 'v', ...base }] })).toEqual(['validators[0] exactly_one_of']);
    expect(ofValidator({ ...base, config: { expected: ['a'] } })).toEqual([]);
    expect(ofValidator({ ...base, expected_from: 'literal:["a"]' })).toEqual([]);
    expect(ofValidator({ ...base, expected_from: 'literal:{}' })).toEqual(['expected_from malformed']);
    expect(
      findings({
        validators: [{ key: 'v', ...base, expected_from: 'literal:[]', config: { expected: [] } }],
      }),
    ).toEqual(['validators[0] exactly_one_of']);
    expect(ofValidator({ ...base, config: { expected: 'a' } })).toEqual(['config.expected type_mismatch']);
  });
});

describe('execution modes', () => {
  test('only conversations have a transcript', () => {
    const validator = { ...SUBMISSION, target: 'transcript.full' };
    expect(ofValidator(validator, 'multi_turn')).toEqual([]);
    expect(ofValidator(validator, 'native')).toEqual(['target mode_conflict']);
    expect(ofJudge({ context_from: ['turn.expectations'] }, 'responses')).toEqual([
      'context_from[0] mode_conflict',
    ]);
    expect(ofValidator(validator)).toEqual([]);
  });

  test('an evaluation in prompt_eval has no files', () => {
    expect(ofValidator({ type: 'file_exists', target: 'file:report' }, 'prompt_eval')).toEqual([
      'type mode_conflict',
    ]);
    expect(ofValidator({ ...SUBMISSION, target: 'file:report' }, 'prompt_eval')).toEqual([
      'target mode_conflict',
    ]);
    expect(ofValidator({ ...SUBMISSION, expected_from: 'file:report' }, 'prompt_eval')).toEqual([
      'expected_from mode_conflict',
    ]);
    expect(ofValidator({ ...SUBMISSION, target: 'file:report' }, 'responses')).toEqual([]);
  });

  test('a script judges the evidence, in every mode, and compares with nothing', () => {
    const script = { type: 'script', target: 'evidence', config: { artifact_key: 'check' } };
    expect(ofValidator(script)).toEqual([]);
    expect(ofValidator(script, 'prompt_eval')).toEqual([]);
    expect(ofValidator({ ...script, target: 'final_output' })).toEqual(['target malformed']);
    expect(ofValidator({ ...script, expected_from: 'literal:x' })).toEqual(['expected_from contradiction']);
    expect(ofValidator({ ...script, expect: false })).toEqual(['expect contradiction']);
    expect(ofValidator({ type: 'script', target: 'evidence' })).toEqual(['config required']);
    const config = { artifact_key: 'check', runtime: 'ruby', timeout_ms: 0 };
    expect(ofValidator({ ...script, config })).toEqual([
      'config.runtime unknown_value',
      'config.timeout_ms out_of_range',
    ]);
  });
});
