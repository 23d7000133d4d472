import type { Expression, Factor, Term } from './expression.js';
import { MathError } from './math-error.js';
import { constant, constantOf, isOne, monomial, type Polynomial, singleTerm } from './polynomial.js';
import { raisePolynomial, sumPolynomials } from './polynomial-arithmetic.js';
import {
  addQuotients,
  invert,
  isZeroQuotient,
  multiplyQuotients,
  numberOf,
  ONE_QUOTIENT,
  type Quotient,
  quotient,
  quotientKey,
  takeIntegerPart,
  ZERO_QUOTIENT,
} from './quotient.js';
import * as rational from './rational.js';
import type { Work } from './work.js';

const EXPONENT_MAX = 1000n;
const EXPONENT_OF_SUM_MAX = 64n;

/** The expression as a quotient of expanded polynomials. Throws `division_by_zero` or `resource_limit`. */
export function symbolicForm(expression: Expression, work: Work): Quotient {
  switch (expression.kind) {
    case 'number':
      return polynomialQuotient(constant(rational.rationalOf(expression.value)));
    case 'symbol':
      return polynomialQuotient(symbol(expression.name));
    case 'sum':
      return sumOf(expression.terms, work);
    case 'product':
      return productOf(expression.factors, work);
    case 'power':
      return powerOf(symbolicForm(expression.base, work), symbolicForm(expression.exponent, work), work);
  }
}

function sumOf(terms: readonly Term[], work: Work): Quotient {
  const polynomials: Polynomial[] = [];
  const fractions: Quotient[] = [];
  for (const { isSubtracted, value } of terms) {
    const form = symbolicForm(value, work);
    const term = isSubtracted ? negated(form, work) : form;
    if (isOne(term.denominator)) polynomials.push(term.numerator);
    else fractions.push(term);
  }
  let sum = polynomialQuotient(sumPolynomials(polynomials, work));
  for (const fraction of fractions) sum = addQuotients(sum, fraction, work);
  return sum;
}

function negated(value: Quotient, work: Work): Quotient {
  return multiplyQuotients(polynomialQuotient(constant(rational.MINUS_ONE)), value, work);
}

function productOf(factors: readonly Factor[], work: Work): Quotient {
  let product = ONE_QUOTIENT;
  for (const { isDivisor, value } of factors) {
    const factor = symbolicForm(value, work);
    product = multiplyQuotients(product, isDivisor ? invert(factor, work) : factor, work);
  }
  return product;
}

function powerOf(base: Quotient, exponent: Quotient, work: Work): Quotient {
  if (isZeroQuotient(exponent) || isOneQuotient(base)) return ONE_QUOTIENT;
  const { whole, rest } = takeIntegerPart(exponent, work);
  if (isZeroQuotient(rest)) return integerPower(base, whole, work);
  const constantExponent = numberOf(exponent);
  if (isZeroQuotient(base) && constantExponent !== undefined) {
    if (constantExponent.numerator < 0n) throw new MathError('division_by_zero');
    return ZERO_QUOTIENT;
  }
  const integral = integerPower(base, whole, work);
  const above = heldPower(base.numerator, rest, work);
  const below = heldPower(base.denominator, rest, work);
  return multiplyQuotients(integral, multiplyQuotients(above, invert(below, work), work), work);
}

function integerPower(base: Quotient, exponent: bigint, work: Work): Quotient {
  const size = exponent < 0n ? -exponent : exponent;
  const isSum = base.numerator.size > 1 || base.denominator.size > 1;
  if (size > (isSum ? EXPONENT_OF_SUM_MAX : EXPONENT_MAX)) throw new MathError('resource_limit');
  if (exponent < 0n && isZeroQuotient(base)) throw new MathError('division_by_zero');
  const numerator = raisePolynomial(base.numerator, Number(size), work);
  const denominator = raisePolynomial(base.denominator, Number(size), work);
  return exponent < 0n ? quotient(denominator, numerator, work) : quotient(numerator, denominator, work);
}

/** A power that cannot be expanded. Of a fraction, the two integers are held apart, so that √(1/2) is 1/√2. */
function heldPower(base: Polynomial, exponent: Quotient, work: Work): Quotient {
  const value = constantOf(base);
  if (value === undefined || value.denominator === 1n) return polynomialQuotient(held(base, exponent, work));
  const numerator = held(constant(rational.rational(value.numerator, 1n)), exponent, work);
  const denominator = held(constant(rational.rational(value.denominator, 1n)), exponent, work);
  return quotient(numerator, denominator, work);
}

function held(base: Polynomial, exponent: Quotient, work: Work): Polynomial {
  if (isOne(base)) return constant(rational.ONE);
  const power = { base, exponent, exponentKey: quotientKey(exponent) };
  const only = monomial(new Map(), new Map([[work.nameOf(base), power]]));
  return singleTerm({ coefficient: rational.ONE, monomial: only });
}

function symbol(name: string): Polynomial {
  return singleTerm({ coefficient: rational.ONE, monomial: monomial(new Map([[name, 1]])) });
}

function polynomialQuotient(numerator: Polynomial): Quotient {
  return { numerator, denominator: ONE_QUOTIENT.denominator };
}

function isOneQuotient(value: Quotient): boolean {
  return isOne(value.numerator) && isOne(value.denominator);
}
