import { expect, test } from '@jest/globals';
import { fillConfig } from '../evaluation-spec/fill-config.js';
import type { ValidatorConfigs, ValidatorType } from '../evaluation-spec/validator-configs.js';
import { expectsText, tryExpected } from './try-expected.js';

const problem = <T extends ValidatorType>(type: T, text: string, config: Partial<ValidatorConfigs[T]> = {}) =>
  tryExpected({ type, config: { ...fillConfig(type, undefined), ...config }, text });

test.each<[ValidatorType, string]>([
  ['exact_match', ''],
  ['contains', ''],
  ['regex_match', '^a+$'],
  ['boolean_assert', 'Yes'],
  ['numeric_match', '1e3'],
  ['math_equivalence', 'x^2'],
  ['bleu_score', '["a","b"]'],
  ['json_schema', '{"type":"object"}'],
  ['json_path_match', '$.a'],
  ['csv_match', 'a,b\n1,2\n'],
  ['file_content_match', 'any'],
  ['trajectory_match', '["search",{"tool_name":"get","arguments":{"id":1}}]'],
  ['list_match', '[]'],
])('the validator %s accepts the expected text %j', (type, text) => {
  expect(problem(type, text)).toBeNull();
});

test.each<[ValidatorType, string, string]>([
  ['regex_match', '(?=a)', 'invalid_regex'],
  ['not_contains', '', 'malformed'],
  ['boolean_assert', 'on', 'malformed'],
  ['numeric_match', 'forty-two', 'malformed'],
  ['math_equivalence', 'sin(x)', 'malformed'],
  ['math_equivalence', '1/0', 'malformed'],
  ['rouge_score', '[]', 'malformed'],
  ['chrf_score', '[1]', 'malformed'],
  ['json_schema', '{"type":', 'invalid_schema'],
  ['json_schema', '{"type":"objekt"}', 'invalid_schema'],
  ['json_path_match', '{"path":"$.a","comparator":"between","value":1}', 'malformed'],
  ['csv_match', 'a,"b', 'malformed'],
  ['trajectory_match', '[1]', 'malformed'],
  ['trajectory_match', '[{"tool_name":"a","args":{}}]', 'malformed'],
  ['trajectory_match', '{}', 'malformed'],
])('the validator %s refuses the expected text %j: %s', (type, text, code) => {
  expect(problem(type, text)).toBe(code);
});

test('an expected text of file_content_match is read by its mode', () => {
  expect(problem('file_content_match', '(', { match_mode: 'regex' })).toBe('invalid_regex');
  expect(problem('file_content_match', '{', { match_mode: 'json_equal' })).toBe('malformed');
  expect(problem('file_content_match', '', { match_mode: 'not_contains' })).toBe('malformed');
});

test('a literal past the limits of its type is refused', () => {
  expect(problem('fuzzy_match', 'a'.repeat(100_000))).toBeNull();
  expect(problem('fuzzy_match', 'a'.repeat(100_001))).toBe('malformed');
  expect(problem('token_f1', 'a '.repeat(50_001))).toBe('malformed');
  expect(problem('list_match', 'a,'.repeat(10_001))).toBe('malformed');
  expect(problem('csv_match', 'a\n'.repeat(10_001))).toBeNull();
  expect(problem('csv_match', 'a\n'.repeat(10_002))).toBe('malformed');
  expect(problem('csv_match', 'a\n'.repeat(10_001), { header: false })).toBe('malformed');
  expect(problem('exact_match', 'é'.repeat(6 * 1024 * 1024))).toBe('malformed');
});

test('types that compare with their config alone have no expected text', () => {
  expect(expectsText('length_range')).toBe(false);
  expect(tryExpected({ type: 'length_range', config: { unit: 'words' }, text: '' })).toBeNull();
});
