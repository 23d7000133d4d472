/**
 * An exact decimal number: the sign, the digits as an integer, times ten to `exponent`. The digits have no leading or
 * trailing zeros, zero is `0` with exponent 0 and no sign, so equal numbers have equal members.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const NUMERAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;
const ZERO: Decimal = { negative: false, digits: '0', exponent: 0 };

/** Reads an ASCII numeral: sign, digits with at most one point, exponent. Null for anything else. */
export function readDecimal(text: string): Decimal | null {
  const match = NUMERAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', afterWhole = '', bareFraction = '', exponent = '0'] = match;
  const fraction = whole === '' ? bareFraction : afterWhole;
  return normalised(sign === '-', whole + fraction, Number(exponent) - fraction.length);
}

/** The decimal that a double's shortest text shows: 0.1 is one tenth. */
export function decimalOf(value: number): Decimal {
  const decimal = readDecimal(String(value));
  if (decimal === null) throw new RangeError(`not a finite number: ${value}`);
  return decimal;
}

/** The power of ten of the first digit: 0 for 1 to 9.99…, -1 for 0.1. Zero has none, and gives 0. */
export function magnitude(value: Decimal): number {
  return isZero(value) ? 0 : value.exponent + value.digits.length - 1;
}

export function isZero(value: Decimal): boolean {
  return value.digits === '0';
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0 || isZero(a)) return signs;
  return (a.negative ? -1 : 1) * compareMagnitudes(a, b);
}

/** A text that is the same for equal numbers only. */
export function decimalKey(value: Decimal): string {
  return `${value.negative ? '-' : ''}${value.digits}e${value.exponent}`;
}

/** Rounds to so many significant digits, half away from zero. */
export function roundToSignificant(value: Decimal, digits: number): Decimal {
  const dropped = value.digits.length - digits;
  if (dropped <= 0) return value;
  const up = (value.digits[digits] ?? '0') >= '5' ? 1n : 0n;
  const kept = (BigInt(value.digits.slice(0, digits)) + up).toString();
  return normalised(value.negative, kept, value.exponent + dropped);
}

/** The integer `value × 10^scale`. `scale` must be at least `-value.exponent`. */
export function scaledInteger(value: Decimal, scale: number): bigint {
  const integer = BigInt(value.digits) * 10n ** BigInt(value.exponent + scale);
  return value.negative ? -integer : integer;
}

function normalised(negative: boolean, rawDigits: string, exponent: number): Decimal {
  const significant = rawDigits.replace(/^0+/, '');
  if (significant === '') return ZERO;
  let end = significant.length;
  while (significant[end - 1] === '0') end -= 1;
  const shift = significant.length - end;
  return { negative, digits: significant.slice(0, end), exponent: exponent + shift };
}

function signOf(value: Decimal): number {
  if (isZero(value)) return 0;
  return value.negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  const byMagnitude = magnitude(a) - magnitude(b);
  if (byMagnitude !== 0) return byMagnitude;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}
