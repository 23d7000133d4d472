import { decimalKey, decimalOf, readDecimal } from './decimal.js';
import { ExactNumber } from './exact-number.js';

/** Deeper nesting is refused as unparsable (RFC 8259 section 9 allows it), so that no reader needs a deep stack. */
export const JSON_DEPTH_MAX = 256;

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
