import { trim } from '../text/white-space.js';
import { readJson } from '../values/exact-json.js';
import { jsonText } from '../values/json-text.js';

/**
 * The items of a list in text form, trimmed: the elements of a JSON array (others than strings as JSON text), or the
 * non-empty pieces between separators. The default separator is the line break if there is one, else the comma.
 */
export function readListItems(text: string, separator: string | undefined): string[] {
  const elements = jsonElements(text);
  if (elements !== null) return elements.map((element) => trim(asText(element)));
  return text
    .split(separator ?? (text.includes('\n') ? '\n' : ','))
    .map(trim)
    .filter((piece) => piece !== '');
}

function jsonElements(text: string): unknown[] | null {
  if (!trim(text).startsWith('[')) return null;
  const reading = readJson(text);
  return reading.ok && Array.isArray(reading.value) ? reading.value : null;
}

function asText(element: unknown): string {
  return typeof element === 'string' ? element : jsonText(element);
}
