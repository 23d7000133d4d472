import { trim } from '../text/white-space.js';
import { type Decimal, decimalKey, magnitude, readDecimal } from '../values/decimal.js';

const DIGITS_MAX = 1000;
const MAGNITUDE_MAX = 308;
const FIRST_NUMBER = /[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/;
const CURRENCY = /[$€£¥₹]|USD|EUR|GBP|JPY|INR/g;

/** Removes currency signs and codes. */
export function stripCurrency(text: string): string {
  return text.replace(CURRENCY, '');
}

/**
 * The number a text states: the whole trimmed text, or with `extract` the first one in it, past currency, commas and
 * `%`. Null when there is none, or when it has over 1,000 digits or lies outside 10^±308.
 */
export function readNumberText(text: string, options: { extract: boolean }): Decimal | null {
  const ascii = text.replaceAll('\u2212', '-');
  const numeral = options.extract ? firstNumber(ascii) : trim(ascii);
  return numeral === undefined ? null : readNumeral(numeral);
}

/** The number that a numeral without separators writes; null beyond the same limits. */
export function readNumeral(numeral: string): Decimal | null {
  if (digitsIn(numeral) > DIGITS_MAX) return null;
  const value = readDecimal(numeral);
  if (value === null || Math.abs(magnitude(value)) > MAGNITUDE_MAX) return null;
  return value;
}

/** True when the two are the same number. */
export function sameDecimal(a: Decimal, b: Decimal): boolean {
  return decimalKey(a) === decimalKey(b);
}

function firstNumber(text: string): string | undefined {
  return FIRST_NUMBER.exec(stripCurrency(text).replace(/[,%]/g, ''))?.[0];
}

function digitsIn(numeral: string): number {
  const [mantissa = ''] = numeral.split(/[eE]/);
  return mantissa.replace(/\D/g, '').length;
}
