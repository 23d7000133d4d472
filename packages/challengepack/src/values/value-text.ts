import { isJsonObject } from '../json.js';
import { jsonText } from './json-text.js';

/** Members that hold the text of an object, in order of preference. */
const TEXT_MEMBERS = ['value', 'content', 'text', 'answer'];

/** The text of a JSON value: a string as it is, the string inside a wrapper of known form, else its RFC 8785 text. */
export function valueText(value: unknown): string {
  return innerString(value) ?? jsonText(value);
}

function innerString(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 1 ? innerString(value[0]) : null;
  if (!isJsonObject(value)) return null;
  for (const member of TEXT_MEMBERS) {
    const text = Object.hasOwn(value, member) ? innerString(value[member]) : null;
    if (text !== null) return text;
  }
  return null;
}
