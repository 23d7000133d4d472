import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['a', 'a', 'pass'],
  ['a\n', 'a', 'fail'],
  ['A', 'a', 'fail'],
  ['e\u0301', '\u00e9', 'fail'],
])('%j is exactly %j: %s', (actual, expected, verdict) => {
  expect(judge('exact_match', { actual, expected })).toMatchObject({ verdict });
});
