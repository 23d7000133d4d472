import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judge } from '../testing/judge.js';

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
])('%s for %s with %j: %s', (actual, expected, config, reason) => {
  expect(judge('numeric_match', { actual, expected, config })).toMatchObject({ reason });
});

test('without tolerance, doubles agree exactly when they are the same number', () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
  fc.assert(
    fc.property(double, double, (a, b) => {
      if ((a !== 0 && Math.abs(a) < 1e-300) || (b !== 0 && Math.abs(b) < 1e-300)) return;
      const { verdict } = judge('numeric_match', { actual: String(a), expected: String(b) });
      expect(verdict).toBe(a === b ? 'pass' : 'fail');
    }),
  );
});
