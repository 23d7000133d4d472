import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['the end.\n', { trim: true }, null],
  ['the end.\n', {}, 'not_found'],
  ['THE END.', { case_insensitive: true }, null],
  ['end. more', {}, 'not_found'],
])('%j with %j ends with "end.": %s', (actual, config, reason) => {
  expect(judge('ends_with', { actual, expected: 'end.', config })).toMatchObject({ reason });
});
