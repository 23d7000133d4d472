import { type Decimal, scaledInteger } from '../../values/decimal.js';
import { MathError } from './math-error.js';

/** An exact fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Computed numbers may outgrow those that can be written, up to this size. */
const BITS_MAX = 16_384;
const LIMIT = 1n << BigInt(BITS_MAX);

export const ZERO: Rational = { numerator: 0n, denominator: 1n };
export const ONE: Rational = { numerator: 1n, denominator: 1n };
export const MINUS_ONE: Rational = { numerator: -1n, denominator: 1n };

/** The fraction of two integers, the second not zero. Throws `resource_limit` when it is too long. */
export function rational(numerator: bigint, denominator: bigint): Rational {
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = sign * gcd(numerator, denominator);
  const value = { numerator: numerator / divisor, denominator: denominator / divisor };
  if (isTooLong(value.numerator) || isTooLong(value.denominator)) throw new MathError('resource_limit');
  return value;
}

export function rationalOf(value: Decimal): Rational {
  const scale = Math.max(0, -value.exponent);
  return rational(scaledInteger(value, scale), 10n ** BigInt(scale));
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** 1/a, for a not zero. */
export function reciprocal(a: Rational): Rational {
  return rational(a.denominator, a.numerator);
}

export function isZero(a: Rational): boolean {
  return a.numerator === 0n;
}

export function equals(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

/** The greatest integer not above it. */
export function floor(a: Rational): bigint {
  const quotient = a.numerator / a.denominator;
  return a.numerator < 0n && quotient * a.denominator !== a.numerator ? quotient - 1n : quotient;
}

export function rationalKey(a: Rational): string {
  return a.denominator === 1n
    ? a.numerator.toString(36)
    : `${a.numerator.toString(36)}:${a.denominator.toString(36)}`;
}

function isTooLong(value: bigint): boolean {
  return value >= LIMIT || -value >= LIMIT;
}

function gcd(a: bigint, b: bigint): bigint {
  if (a === 1n || b === 1n) return 1n;
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
