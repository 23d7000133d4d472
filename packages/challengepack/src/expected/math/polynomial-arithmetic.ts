import { MathError } from './math-error.js';
import {
  constant,
  type Monomial,
  monomial,
  ONE_POLYNOMIAL,
  type Polynomial,
  type PolynomialTerm,
  type Power,
  singleTerm,
} from './polynomial.js';
import { addQuotients, isZeroQuotient, quotientKey, takeIntegerPart } from './quotient.js';
import * as rational from './rational.js';
import { costOf, type Work } from './work.js';

const TERMS_MAX = 2000;
/** A power has a longer key than a symbol. */
const POWER_COST = 10;

export function sumPolynomials(summands: readonly Polynomial[], work: Work): Polynomial {
  const sum = new Map(summands[0]);
  for (const summand of summands.slice(1)) {
    for (const term of summand.values()) {
      addTerm(sum, term, work);
    }
    checkedSize(sum);
  }
  return sum;
}

export function scalePolynomial(a: Polynomial, factor: rational.Rational, work: Work): Polynomial {
  if (rational.isZero(factor)) return new Map();
  const scaled = new Map<string, PolynomialTerm>();
  for (const [key, { coefficient, monomial }] of a) {
    work.spend(costOf(coefficient) + costOf(factor));
    scaled.set(key, { coefficient: rational.multiply(coefficient, factor), monomial });
  }
  return scaled;
}

export function multiplyPolynomials(a: Polynomial, b: Polynomial, work: Work): Polynomial {
  const product = new Map<string, PolynomialTerm>();
  for (const left of a.values()) {
    for (const right of b.values()) {
      for (const term of multiplyTerms(left, right, work).values()) addTerm(product, term, work);
    }
    checkedSize(product);
  }
  return product;
}

/** The product of so many copies, by squaring. */
export function raisePolynomial(base: Polynomial, exponent: number, work: Work): Polynomial {
  let result = ONE_POLYNOMIAL;
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiplyPolynomials(result, square, work);
    if (left > 1) square = multiplyPolynomials(square, square, work);
  }
  return result;
}

function addTerm(sum: Map<string, PolynomialTerm>, term: PolynomialTerm, work: Work): void {
  const { key } = term.monomial;
  work.spend(1);
  const present = sum.get(key);
  if (present === undefined) {
    sum.set(key, term);
    return;
  }
  work.spend(costOf(present.coefficient) + costOf(term.coefficient));
  const coefficient = rational.add(present.coefficient, term.coefficient);
  if (rational.isZero(coefficient)) sum.delete(key);
  else sum.set(key, { coefficient, monomial: term.monomial });
}

/** Usually one term; more when powers of one base add up to an integer power of a sum. */
function multiplyTerms(a: PolynomialTerm, b: PolynomialTerm, work: Work): Polynomial {
  work.spend(costOf(a.coefficient) + costOf(b.coefficient));
  const coefficient = rational.multiply(a.coefficient, b.coefficient);
  const { merged, multipliedOut } = multiplyMonomials(a.monomial, b.monomial, work);
  let product = singleTerm({ coefficient, monomial: merged });
  for (const base of multipliedOut) product = multiplyPolynomials(product, base, work);
  return product;
}

interface MonomialProduct {
  readonly merged: Monomial;
  /** Bases whose exponents came to one more than what stays in the monomial. */
  readonly multipliedOut: readonly Polynomial[];
}

function multiplyMonomials(a: Monomial, b: Monomial, work: Work): MonomialProduct {
  if (a.key === '') return { merged: b, multipliedOut: [] };
  if (b.key === '') return { merged: a, multipliedOut: [] };
  work.spend(a.symbols.size + b.symbols.size + POWER_COST * (a.powers.size + b.powers.size));
  const symbols = new Map(a.symbols);
  for (const [name, exponent] of b.symbols) symbols.set(name, (symbols.get(name) ?? 0) + exponent);
  const powers = new Map(a.powers);
  const multipliedOut: Polynomial[] = [];
  for (const [name, power] of b.powers) {
    const present = powers.get(name);
    if (present === undefined) {
      powers.set(name, power);
      continue;
    }
    const { rest, hasUnit } = addExponents(present, power, work);
    if (hasUnit) multipliedOut.push(power.base);
    if (rest === null) powers.delete(name);
    else powers.set(name, rest);
  }
  return { merged: monomial(symbols, powers), multipliedOut };
}

/** Both exponents have a constant part in [0, 1), so their sum holds one unit at most. */
function addExponents(a: Power, b: Power, work: Work): { rest: Power | null; hasUnit: boolean } {
  const sum = addQuotients(a.exponent, b.exponent, work);
  const { whole, rest } = takeIntegerPart(sum, work);
  const hasUnit = whole === 1n;
  if (isZeroQuotient(rest)) return { rest: null, hasUnit };
  return { rest: { base: a.base, exponent: rest, exponentKey: quotientKey(rest) }, hasUnit };
}

function checkedSize<P extends Polynomial>(polynomial: P): P {
  if (polynomial.size > TERMS_MAX) throw new MathError('resource_limit');
  return polynomial;
}

/** The polynomial with the integer `whole` taken off its constant term. */
export function withoutWhole(a: Polynomial, whole: bigint, work: Work): Polynomial {
  return sumPolynomials([a, constant(rational.rational(-whole, 1n))], work);
}
