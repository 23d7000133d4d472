import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['abc', 'b', null],
  ['abc', '', null],
  ['abc', 'B', 'not_found'],
])('%j contains %j: %s', (actual, expected, reason) => {
  expect(judge('contains', { actual, expected })).toMatchObject({ reason });
});
