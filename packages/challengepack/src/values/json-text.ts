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

type WriteNumber = (number: number | ExactNumber) => string;

/** Parts that are joined once: a text that grows part by part stays in memory as all of its parts. */
function writeJson(value: unknown, writeNumber: WriteNumber): string {
  const parts: string[] = [];
  addParts(parts, value, writeNumber);
  return parts.join('');
}

function addParts(parts: string[], value: unknown, writeNumber: WriteNumber): void {
  if (typeof value === 'number' || value instanceof ExactNumber) parts.push(writeNumber(value));
  else if (Array.isArray(value)) {
    parts.push('[');
    for (const [index, item] of value.entries()) {
      if (index > 0) parts.push(',');
      addParts(parts, item, writeNumber);
    }
    parts.push(']');
  } else if (isExactObject(value)) {
    let separator = '{';
    for (const key of Object.keys(value).sort()) {
      if (value[key] === undefined) continue;
      parts.push(separator, JSON.stringify(key), ':');
      addParts(parts, value[key], writeNumber);
      separator = ',';
    }
    parts.push(separator === '{' ? '{}' : '}');
  } else parts.push(JSON.stringify(value) ?? 'null');
}
