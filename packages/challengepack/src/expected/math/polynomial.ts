import type { Quotient } from './quotient.js';
import { equals, ONE, type Rational, rationalKey, ZERO } from './rational.js';

/** A power that stays as it is, such as √2 or 2^x: the base is no lone symbol, or the exponent no integer. */
export interface Power {
  readonly base: Polynomial;
  /** Without an integer part in its constant term: that part is multiplied out. */
  readonly exponent: Quotient;
  readonly exponentKey: string;
}

/** A product of symbols to positive integer powers and of other powers, by the key of their base. */
export interface Monomial {
  readonly key: string;
  readonly symbols: ReadonlyMap<string, number>;
  readonly powers: ReadonlyMap<string, Power>;
}

export interface PolynomialTerm {
  readonly coefficient: Rational;
  readonly monomial: Monomial;
}

/** A sum of terms by the key of their monomial; no coefficient is zero. */
export type Polynomial = ReadonlyMap<string, PolynomialTerm>;

export const UNIT: Monomial = { key: '', symbols: new Map(), powers: new Map() };
export const ZERO_POLYNOMIAL: Polynomial = new Map();
export const ONE_POLYNOMIAL = constant(ONE);

export function constant(coefficient: Rational): Polynomial {
  return singleTerm({ coefficient, monomial: UNIT });
}

export function singleTerm(term: PolynomialTerm): Polynomial {
  return term.coefficient.numerator === 0n ? ZERO_POLYNOMIAL : new Map([[term.monomial.key, term]]);
}

/** The number that the polynomial is; undefined when it holds a symbol or power. */
export function constantOf(polynomial: Polynomial): Rational | undefined {
  if (polynomial.size === 0) return ZERO;
  return polynomial.size === 1 ? polynomial.get(UNIT.key)?.coefficient : undefined;
}

export function isOne(polynomial: Polynomial): boolean {
  const value = constantOf(polynomial);
  return value !== undefined && equals(value, ONE);
}

export function monomial(
  symbols: ReadonlyMap<string, number>,
  powers: ReadonlyMap<string, Power> = new Map(),
): Monomial {
  const parts = [...symbols].map(([name, exponent]) => (exponent === 1 ? name : `${name}^${exponent}`));
  for (const [baseKey, power] of powers) parts.push(`${baseKey}^${power.exponentKey}`);
  return { key: parts.sort().join('*'), symbols, powers };
}

/** A text that is the same for equal polynomials only. */
export function polynomialKey(polynomial: Polynomial): string {
  return [...polynomial.values()]
    .map(({ coefficient, monomial: { key } }) => `${rationalKey(coefficient)}*${key}`)
    .sort()
    .join('+');
}

export function equalPolynomials(a: Polynomial, b: Polynomial): boolean {
  if (a.size !== b.size) return false;
  for (const [key, { coefficient }] of a) {
    const other = b.get(key);
    if (other === undefined || !equals(other.coefficient, coefficient)) return false;
  }
  return true;
}
