import { expect, test } from '@jest/globals';
import { decimalKey } from '../values/decimal.js';
import { readNumberText } from './number-text.js';

const key = (text: string, extract = false) => {
  const value = readNumberText(text, { extract });
  return value && decimalKey(value);
};

test.each([
  ['\u00a042\n', '42e0'],
  ['−7', '-7e0'],
  ['.5', '5e-1'],
  ['5.', '5e0'],
  [`0.${'1'.repeat(999)}`, `${'1'.repeat(999)}e-999`],
  ['1e308', '1e308'],
  ['1e-308', '1e-308'],
  ['0e999999', '0e0'],
])('the text %j is the number %s', (text, expected) => {
  expect(key(text)).toBe(expected);
});

test.each(['1,000', '$5', '1 2', 'NaN', 'Infinity', '0x10', '1e309', '1e-309', '1'.repeat(1001), '٣', ''])(
  'the text %j is no number',
  (text) => {
    expect(key(text)).toBeNull();
  },
);

test.each([
  ['It costs $1,234.50, or 2', '12345e-1'],
  ['USD 7', '7e0'],
  ['about −3.5%', '-35e-1'],
  ['v2.0.1', '2e0'],
  ['x = .25e2 m', '25e0'],
  ['5.', '5e0'],
])('the first number in %j is %s', (text, expected) => {
  expect(key(text, true)).toBe(expected);
});

test('a text without a number has none', () => {
  expect(key('no number here', true)).toBeNull();
});
