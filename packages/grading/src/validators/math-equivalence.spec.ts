import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

test.each([
  ['(x+1)^2', 'x^2+2x+1', {}, null],
  ['sqrt(4)', '2', {}, null],
  ['sqrt(4)', '2', { numeric_fallback: false }, 'not_equivalent'],
  ['3.14159265', 'pi', { comparison_mode: 'numeric' }, null],
  ['3.1416', 'pi', { comparison_mode: 'numeric', tolerance: 0.001 }, null],
  ['so it is #### 4', '2+2', { extract_answer: true }, null],
  ['Result: 4', '4', { extract_answer: true, answer_delimiter: 'Result:' }, null],
  ['x+1', 'x+2', {}, 'not_equivalent'],
  ['1/0', '1', {}, 'division_by_zero'],
  ['four', '4', {}, 'not_equivalent'],
  ['four!', '4', {}, 'unparsable_output'],
  ['2^1001', '1', {}, 'resource_limit'],
])('%s for %s with %j: %s', (actual, expected, config, reason) => {
  expect(judge('math_equivalence', { actual, expected, config })).toMatchObject({ reason });
});

test.each([
  ['sin(x)', 'invalid_expected'],
  ['2^1001', 'invalid_expected'],
  ['1/0', 'division_by_zero'],
])('the pack is to blame for an expected %s', (expected, reason) => {
  expect(judge('math_equivalence', { actual: '1', expected })).toMatchObject({
    outcome: 'pack_error',
    reason,
  });
});
