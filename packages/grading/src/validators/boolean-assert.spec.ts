import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  [' Yes\n', '1', null],
  ['TRUE', 'yes', null],
  ['no', 'false', null],
  ['0', 'true', 'not_equal'],
  ['y', 'true', 'unparsable_output'],
  ['true.', 'true', 'unparsable_output'],
])('%j means the same as %j: %s', (actual, expected, reason) => {
  expect(judge('boolean_assert', { actual, expected })).toMatchObject({ reason });
});
