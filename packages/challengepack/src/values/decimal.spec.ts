import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  compareDecimals,
  type Decimal,
  decimalKey,
  decimalOf,
  magnitude,
  readDecimal,
  roundToSignificant,
} from './decimal.js';

const numeral = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: -40, max: 40 }))
  .map(([digits, exponent]) => ({ digits, exponent, text: `${digits}e${exponent}` }));

describe('readDecimal', () => {
  test.each([
    ['1', '1e0'],
    ['1.0', '1e0'],
    ['.5', '5e-1'],
    ['5.', '5e0'],
    ['-0.0', '0e0'],
    ['+1200', '12e2'],
    ['1.5E-3', '15e-4'],
    ['9007199254740993', '9007199254740993e0'],
  ])('the numeral %s is read as %s', (text, key) => {
    expect(decimalKey(read(text))).toBe(key);
  });

  test.each(['', '.', '1e', 'e1', '0x10', '1 2', 'NaN', 'Infinity', '１', '1_000'])(
    'the text %j is no numeral',
    (text) => {
      expect(readDecimal(text)).toBeNull();
    },
  );
});

test('the order of decimals is that of their exact values', () => {
  fc.assert(
    fc.property(numeral, numeral, (a, b) => {
      const scale = 10n ** BigInt(Math.abs(a.exponent - b.exponent));
      const left = a.exponent > b.exponent ? a.digits * scale : a.digits;
      const right = b.exponent > a.exponent ? b.digits * scale : b.digits;
      const order = left < right ? -1 : left > right ? 1 : 0;
      expect(Math.sign(compareDecimals(read(a.text), read(b.text)))).toBe(order);
      expect(decimalKey(read(a.text)) === decimalKey(read(b.text))).toBe(order === 0);
    }),
  );
});

test('a number out of all proportion is compared without being written out', () => {
  expect(compareDecimals(read('1e999999999'), read('9e999999998'))).toBeGreaterThan(0);
  expect(magnitude(read('1e-999999999'))).toBe(-999999999);
});

test('a double is the decimal that its shortest text shows', () => {
  expect(decimalKey(decimalOf(0.1))).toBe('1e-1');
  expect(decimalKey(decimalOf(1e21))).toBe('1e21');
});

test.each([
  ['3.14159', 3, '314e-2'],
  ['2.5', 1, '3e0'],
  ['-2.5', 1, '-3e0'],
  ['999.9', 3, '1e3'],
  ['12', 5, '12e0'],
])('the number %s rounded to %i significant digits is %s, half away from zero', (text, digits, key) => {
  expect(decimalKey(roundToSignificant(read(text), digits))).toBe(key);
});

function read(text: string): Decimal {
  const value = readDecimal(text);
  if (value === null) throw new Error(`no numeral: ${text}`);
  return value;
}
