import { decimalKey } from './decimal.js';
import { decimalIn, ExactNumber, isExactObject } from './exact-number.js';

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
