import { type Decimal, decimalOf } from './decimal.js';

/** A JSON number that no double equals, such as 9007199254740993 or 1e400. Every other number is a plain one. */
export class ExactNumber {
  readonly #decimal: Decimal;

  constructor(decimal: Decimal) {
    this.#decimal = decimal;
  }

  get decimal(): Decimal {
    return this.#decimal;
  }

  /** The nearest finite double. */
  get nearest(): number {
    const { negative, digits, exponent } = this.#decimal;
    const value = Number(`${negative ? '-' : ''}${digits}e${exponent}`);
    if (Number.isFinite(value)) return value;
    return negative ? -Number.MAX_VALUE : Number.MAX_VALUE;
  }
}

/** The exact value of a JSON number, null for any other value. */
export function decimalIn(value: unknown): Decimal | null {
  if (value instanceof ExactNumber) return value.decimal;
  return typeof value === 'number' && Number.isFinite(value) ? decimalOf(value) : null;
}

/** True when a JSON value is an object (a number never is). */
export function isExactObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** The same value with every `ExactNumber` replaced by its nearest double, for readers that know only doubles. */
export function withDoubles(value: unknown): unknown {
  return holdsExact(value) ? replaceExact(value) : value;
}

function holdsExact(value: unknown): boolean {
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(holdsExact);
  if (!isExactObject(value)) return false;
  for (const key in value) if (holdsExact(value[key])) return true;
  return false;
}

function replaceExact(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.nearest;
  if (Array.isArray(value)) return value.map(replaceExact);
  if (!isExactObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceExact(member)]));
}
