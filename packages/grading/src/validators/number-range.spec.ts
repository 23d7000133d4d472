import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['0.1', { min: 0.1 }, null],
  ['0.0999999999999999999', { min: 0.1 }, 'out_of_range'],
  ['10', { max: 10, exclusive_max: true }, 'out_of_range'],
  ['0', { min: 0, exclusive_min: true }, 'out_of_range'],
  ['-0', { min: 0, max: 0 }, null],
  ['about 7', { min: 7, max: 7, extract_number: true }, null],
  ['about 7', { min: 7, max: 7, extract: 'only' }, null],
  ['3 to 7', { min: 7, max: 7, extract: 'last' }, null],
  ['3 to 7', { min: 1, max: 9, extract: 'only' }, 'ambiguous_number'],
  ['seven', { min: 7 }, 'unparsable_output'],
])('%s within %j: %s', (actual, config, reason) => {
  expect(judge('number_range', { actual, config })).toMatchObject({ reason });
});
