import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['status 200', '\\d{3}', null],
  ['a\nb', '(?s)a.b', null],
  ['x\nabc', '(?m)^abc$', null],
  ['x\nabc', '^abc$', 'not_found'],
  ['日本', '^\\p{Han}+$', null],
  ['x', '', null],
])('%j matches %j: %s', (actual, expected, reason) => {
  expect(judge('regex_match', { actual, expected })).toMatchObject({ reason });
});

test.each(['(?=a)', '\\1', '(', 'a{1001}'])('%s is not RE2', (expected) => {
  expect(judge('regex_match', { actual: 'a', expected })).toMatchObject({
    outcome: 'pack_error',
    reason: 'invalid_regex',
  });
});
