import { type Decimal, decimalKey, decimalOf, readDecimal } from './decimal.js';

/** Deeper nesting is refused as unparsable (RFC 8259 section 9 allows it), so that no reader needs a deep stack. */
export const JSON_DEPTH_MAX = 256;

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

export type JsonReading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const UNREADABLE: JsonReading = { ok: false };
/** A number that a double may not hold exactly has an exponent, or 16 digits and points in a row. */
const MAYBE_INEXACT = /[\d.]{16}|\d[eE]/;

/** Reads one RFC 8259 value; of duplicate keys the last counts. Numbers keep their exact value, see `ExactNumber`. */
export function readJson(text: string): JsonReading {
  if (isTooDeep(text)) return UNREADABLE;
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value: MAYBE_INEXACT.test(text) ? new ExactReader(text).read() : value };
  } catch (error) {
    if (error instanceof SyntaxError) return UNREADABLE;
    throw error;
  }
}

/** Whether a JSON value is an object (a number never is). */
export function isExactObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** The exact value of a JSON number, null for any other value. */
export function decimalIn(value: unknown): Decimal | null {
  if (value instanceof ExactNumber) return value.decimal;
  return typeof value === 'number' && Number.isFinite(value) ? decimalOf(value) : null;
}

/** RFC 8785 text. A number that only `ExactNumber` holds is written as its nearest double. */
export function jsonText(value: unknown): string {
  return writeJson(value, (number) =>
    JSON.stringify(number instanceof ExactNumber ? number.nearest : number),
  );
}

/** A text that is the same for deep-equal values only: numbers by exact decimal value, members in any order. */
export function equalityKey(value: unknown): string {
  return writeJson(value, (number) => {
    const decimal = decimalIn(number);
    return decimal === null ? 'null' : decimalKey(decimal);
  });
}

export function jsonEquals(a: unknown, b: unknown): boolean {
  return equalityKey(a) === equalityKey(b);
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

function writeJson(value: unknown, writeNumber: (number: number | ExactNumber) => string): string {
  if (typeof value === 'number' || value instanceof ExactNumber) return writeNumber(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, writeNumber)).join(',')}]`;
  if (!isExactObject(value)) return JSON.stringify(value) ?? 'null';
  let members = '';
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${writeJson(value[key], writeNumber)}`;
  }
  return `{${members}}`;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (inString) {
      if (unit === '\\') at += 1;
      else if (unit === '"') inString = false;
    } else if (unit === '"') inString = true;
    else if (unit === '[' || unit === '{') {
      depth += 1;
      if (depth > JSON_DEPTH_MAX) return true;
    } else if (unit === ']' || unit === '}') depth -= 1;
  }
  return false;
}

/** Reads text that `JSON.parse` has accepted, keeping the exact value of its numbers. */
class ExactReader {
  readonly #tokens: Iterator<RegExpExecArray>;

  constructor(text: string) {
    this.#tokens = text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[-\d.eE+]+|true|false|null|[[\]{},:]/g);
  }

  read(): unknown {
    return this.#value(this.#next());
  }

  #next(): string {
    return this.#tokens.next().value?.[0] ?? '';
  }

  #value(token: string): unknown {
    if (token === '[') return this.#list();
    if (token === '{') return this.#record();
    if (/^[-\d]/.test(token)) return exactNumber(token);
    return JSON.parse(token);
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    for (let token = this.#next(); token !== ']'; token = this.#next()) {
      if (token !== ',') items.push(this.#value(token));
    }
    return items;
  }

  #record(): Record<string, unknown> {
    const members: [string, unknown][] = [];
    for (let token = this.#next(); token !== '}'; token = this.#next()) {
      if (token === ',') continue;
      this.#next();
      members.push([String(JSON.parse(token)), this.#value(this.#next())]);
    }
    return Object.fromEntries(members);
  }
}

function exactNumber(token: string): number | ExactNumber {
  const value = Number(token);
  const decimal = readDecimal(token);
  if (decimal === null) return value;
  const isExact = Number.isFinite(value) && decimalKey(decimalOf(value)) === decimalKey(decimal);
  return isExact ? value : new ExactNumber(decimal);
}
