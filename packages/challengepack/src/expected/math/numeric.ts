import type { Expression } from './expression.js';
import { PI } from './expression.js';
import { MathError } from './math-error.js';

/** True when the expression holds no symbol but pi. */
export function isNumeric(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
      return true;
    case 'symbol':
      return expression.name === PI;
    case 'sum':
      return expression.terms.every(({ value }) => isNumeric(value));
    case 'product':
      return expression.factors.every(({ value }) => isNumeric(value));
    case 'power':
      return isNumeric(expression.base) && isNumeric(expression.exponent);
  }
}

/**
 * The expression's value as a double, which may be infinite or NaN.
 * Throws `division_by_zero`, or `unparsable` at a symbol other than pi.
 */
export function numericValue(expression: Expression): number {
  switch (expression.kind) {
    case 'number': {
      const { negative, digits, exponent } = expression.value;
      return Number(`${negative ? '-' : ''}${digits}e${exponent}`);
    }
    case 'symbol':
      if (expression.name !== PI) throw new MathError('unparsable');
      return Math.PI;
    case 'sum':
      return expression.terms.reduce(
        (sum, { isSubtracted, value }) => sum + (isSubtracted ? -1 : 1) * numericValue(value),
        0,
      );
    case 'product':
      return expression.factors.reduce(
        (product, { isDivisor, value }) =>
          isDivisor ? divided(product, numericValue(value)) : product * numericValue(value),
        1,
      );
    case 'power':
      return raised(numericValue(expression.base), numericValue(expression.exponent));
  }
}

function divided(dividend: number, divisor: number): number {
  if (divisor === 0) throw new MathError('division_by_zero');
  return dividend / divisor;
}

function raised(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new MathError('division_by_zero');
  return base ** exponent;
}
