import { type Decimal, isZero } from '../expected/decimal.js';

/** Bits of a decimal digit, rounded up: a number has no more factors of two or five than it has bits. */
const BITS_PER_DIGIT = 4;

/** Whether a number is an integer times another, exactly, whatever their exponents. */
export function isMultipleOf(number: Decimal, divisor: Decimal): boolean {
  if (isZero(number)) return true;
  const shift = number.exponent - divisor.exponent;
  // The digits have no trailing zero, so no power of ten divides them.
  if (shift < 0) return false;
  const enough = Math.min(shift, divisor.digits.length * BITS_PER_DIGIT);
  return (BigInt(number.digits) * 10n ** BigInt(enough)) % BigInt(divisor.digits) === 0n;
}
