import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['contains', 'total: 42', '42', {}, null],
  ['exact', '42\n', '42', {}, 'not_equal'],
  ['exact', 'a \n b', 'a  b', { ignore_whitespace: true }, null],
  ['exact', ' a', 'a', { ignore_whitespace: true }, 'not_equal'],
  ['regex', 'v1.2', '^v\\d', {}, null],
  ['regex', 'x', '^v\\d', {}, 'not_found'],
  ['not_contains', 'a  b', 'a b', {}, null],
  ['not_contains', 'a  b', 'a b', { ignore_whitespace: true }, 'forbidden_found'],
  ['json_equal', '{"b":2.0,"a":[1]}', '{"a":[1.0],"b":2}', {}, null],
  ['json_equal', '{"a":1}', '{"a":2}', {}, 'not_equal'],
  ['json_equal', '', '{}', {}, 'unparsable_output'],
])('%s of %j and %j with %j: %s', (match_mode, content, expected, flags, reason) => {
  const capture = { exists: true, content };
  const config = { match_mode, ...flags };
  expect(judge('file_content_match', { target: 'file:f', config, expected, capture })).toMatchObject({
    reason,
  });
});

test('a missing file fails even a check for what it must not hold', () => {
  const config = { match_mode: 'not_contains' };
  const capture = { exists: false };
  expect(judge('file_content_match', { target: 'file:f', config, expected: 'x', capture })).toMatchObject({
    outcome: 'agent_fail',
    reason: 'file_missing',
  });
});

test('nothing forbidden is a pack error', () => {
  const config = { match_mode: 'not_contains' };
  const capture = { exists: true, content: 'x' };
  expect(judge('file_content_match', { target: 'file:f', config, expected: '', capture })).toMatchObject({
    reason: 'empty_expected',
  });
});
