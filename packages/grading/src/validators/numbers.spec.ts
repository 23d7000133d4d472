import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge } from '../testing/judge.js';

describe('numeric_match', () => {
  test.each([
    ['42', '42.0', {}, null],
    ['4.2e1', '42', {}, null],
    ['42.0000000000000000001', '42', {}, 'not_equal'],
    ['10.3', '10.2', { absolute_tolerance: 0.1 }, null],
    ['10.31', '10.2', { absolute_tolerance: 0.1 }, 'not_equal'],
    ['101', '100', { relative_tolerance: 0.01 }, null],
    ['-101', '-100', { relative_tolerance: 0.01 }, null],
    ['101.1', '100', { relative_tolerance: 0.01 }, 'not_equal'],
    ['0', '0', { relative_tolerance: 0.01 }, null],
    ['1e-300', '0', { relative_tolerance: 1 }, 'not_equal'],
    ['101.1', '100', { relative_tolerance: 0.01, absolute_tolerance: 2 }, null],
    ['1000.9', '1000', { tolerance: 0.001 }, null],
    ['1000.9', '1000', { tolerance_mode: 'absolute', tolerance: 0.5 }, 'not_equal'],
    ['2.675', '2.68', { significant_digits: 3 }, null],
    ['-0.5', '-1', { significant_digits: 1, absolute_tolerance: 0.5 }, null],
    ['1e308', '1e308', { relative_tolerance: 1e-9 }, null],
    ['$1,234.50', '1234.5', { extract_number: true }, null],
    ['1,234', '1234', {}, 'unparsable_output'],
    ['48 and 24 make 72', '72', { extract_number: true }, 'not_equal'],
    ['48 and 24 make 72', '72', { extract: 'first' }, 'not_equal'],
    ['48 and 24 make 72', '72', { extract: 'last' }, null],
    ['48 and 24 make 72', '72', { extract: 'only' }, 'ambiguous_number'],
    ['48 and 24 make 72', '72', { extract: true }, 'ambiguous_number'],
    ['48 and 24\n#### 72', '48 + 24 = 72\n#### 72', { extract: 'delimiter' }, null],
    ['So: 72 clips', '72', { extract: 'only' }, null],
    ['(7,2)', '72', { extract: 'only' }, 'ambiguous_number'],
    ['many', '72', { extract: 'last' }, 'unparsable_output'],
  ])('the output %s against %s with %j has the reason %s', (actual, expected, config, reason) => {
    expect(judge('numeric_match', { actual, expected, config })).toMatchObject({ reason });
  });

  test('two doubles without tolerance are equal exactly when they are the same number', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(double, double, (a, b) => {
        if ((a !== 0 && Math.abs(a) < 1e-300) || (b !== 0 && Math.abs(b) < 1e-300)) return;
        const { verdict } = judge('numeric_match', { actual: String(a), expected: String(b) });
        expect(verdict).toBe(a === b ? 'pass' : 'fail');
      }),
    );
  });
});

describe('number_range', () => {
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
  ])('the number %s within the range %j has the reason %s', (actual, config, reason) => {
    expect(judge('number_range', { actual, config })).toMatchObject({ reason });
  });
});

describe('math_equivalence', () => {
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
  ])('the expression %s against %s with %j has the reason %s', (actual, expected, config, reason) => {
    expect(judge('math_equivalence', { actual, expected, config })).toMatchObject({ reason });
  });

  test.each([
    ['sin(x)', 'invalid_expected'],
    ['2^1001', 'invalid_expected'],
    ['1/0', 'division_by_zero'],
  ])('an expected %s is a pack error', (expected, reason) => {
    expect(judge('math_equivalence', { actual: '1', expected })).toMatchObject({
      outcome: 'pack_error',
      reason,
    });
  });
});
