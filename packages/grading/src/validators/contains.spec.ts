import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['abc', 'b', null],
  ['abc', '', null],
  ['abc', 'B', 'not_found'],
])('%j contains %j: %s', async (actual, expected, reason) => {
  expect(await judge('contains', { actual, expected })).toMatchObject({ reason });
});
