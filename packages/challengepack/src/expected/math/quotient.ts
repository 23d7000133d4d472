import { MathError } from './math-error.js';
import {
  constant,
  constantOf,
  equalPolynomials,
  isOne,
  ONE_POLYNOMIAL,
  type Polynomial,
  polynomialKey,
  UNIT,
  ZERO_POLYNOMIAL,
} from './polynomial.js';
import {
  multiplyPolynomials,
  scalePolynomial,
  sumPolynomials,
  withoutWhole,
} from './polynomial-arithmetic.js';
import * as rational from './rational.js';
import type { Work } from './work.js';

/** A quotient of polynomials; the denominator is not zero, and 1 when it could be divided out. */
export interface Quotient {
  readonly numerator: Polynomial;
  readonly denominator: Polynomial;
}

export const ZERO_QUOTIENT: Quotient = { numerator: ZERO_POLYNOMIAL, denominator: ONE_POLYNOMIAL };
export const ONE_QUOTIENT: Quotient = { numerator: ONE_POLYNOMIAL, denominator: ONE_POLYNOMIAL };

/** The quotient of two polynomials, simplified as far as numbers go. Throws `division_by_zero`. */
export function quotient(numerator: Polynomial, denominator: Polynomial, work: Work): Quotient {
  if (denominator.size === 0) throw new MathError('division_by_zero');
  if (numerator.size === 0) return ZERO_QUOTIENT;
  if (isOne(denominator)) return { numerator, denominator };
  const scale = rational.reciprocal(leadingCoefficient(denominator));
  const scaled = {
    numerator: scalePolynomial(numerator, scale, work),
    denominator: scalePolynomial(denominator, scale, work),
  };
  return proportional(scaled, work) ?? scaled;
}

export function addQuotients(a: Quotient, b: Quotient, work: Work): Quotient {
  if (equalPolynomials(a.denominator, b.denominator)) {
    const numerator = sumPolynomials([a.numerator, b.numerator], work);
    return quotient(numerator, a.denominator, work);
  }
  const left = multiplyPolynomials(a.numerator, b.denominator, work);
  const right = multiplyPolynomials(b.numerator, a.denominator, work);
  const denominator = multiplyPolynomials(a.denominator, b.denominator, work);
  return quotient(sumPolynomials([left, right], work), denominator, work);
}

export function multiplyQuotients(a: Quotient, b: Quotient, work: Work): Quotient {
  const numerator = multiplyPolynomials(a.numerator, b.numerator, work);
  const denominator = multiplyPolynomials(a.denominator, b.denominator, work);
  return quotient(numerator, denominator, work);
}

/** Throws `division_by_zero` for zero. */
export function invert(a: Quotient, work: Work): Quotient {
  return quotient(a.denominator, a.numerator, work);
}

/** True when the two are the same function: a's numerator times b's denominator equals the reverse. */
export function equalQuotients(a: Quotient, b: Quotient, work: Work): boolean {
  const left = multiplyPolynomials(a.numerator, b.denominator, work);
  const right = multiplyPolynomials(b.numerator, a.denominator, work);
  return equalPolynomials(left, right);
}

export function isZeroQuotient(a: Quotient): boolean {
  return a.numerator.size === 0;
}

/** The number it is; undefined when it holds a symbol or power. */
export function numberOf(a: Quotient): rational.Rational | undefined {
  return isOne(a.denominator) ? constantOf(a.numerator) : undefined;
}

/** Splits an exponent into an integer and a rest whose constant term lies in [0, 1). */
export function takeIntegerPart(a: Quotient, work: Work): { whole: bigint; rest: Quotient } {
  const constantTerm = isOne(a.denominator) ? a.numerator.get(UNIT.key)?.coefficient : undefined;
  const whole = constantTerm === undefined ? 0n : rational.floor(constantTerm);
  if (whole === 0n) return { whole, rest: a };
  return { whole, rest: { ...a, numerator: withoutWhole(a.numerator, whole, work) } };
}

export function quotientKey(a: Quotient): string {
  const numerator = polynomialKey(a.numerator);
  return isOne(a.denominator) ? `(${numerator})` : `(${numerator})/(${polynomialKey(a.denominator)})`;
}

/** A number, when numerator and denominator differ only by it. */
function proportional({ numerator, denominator }: Quotient, work: Work): Quotient | null {
  if (isOne(denominator)) return { numerator, denominator };
  if (numerator.size !== denominator.size) return null;
  const ratio = numerator.get(leadingKey(denominator))?.coefficient;
  if (ratio === undefined || !equalPolynomials(numerator, scalePolynomial(denominator, ratio, work)))
    return null;
  return { numerator: constant(ratio), denominator: ONE_POLYNOMIAL };
}

function leadingCoefficient(polynomial: Polynomial): rational.Rational {
  return polynomial.get(leadingKey(polynomial))?.coefficient ?? rational.ONE;
}

/** Any fixed choice of term will do; it is the first by key. Not for the zero polynomial. */
function leadingKey(polynomial: Polynomial): string {
  return [...polynomial.keys()].sort()[0] ?? UNIT.key;
}
