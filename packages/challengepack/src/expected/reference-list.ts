import { readJson } from './exact-json.js';

/**
 * The reference texts that an expected text names: a JSON array of strings, or else the one text itself.
 * Null for an array that is empty or holds anything but strings.
 */
export function readReferenceList(text: string): string[] | null {
  if (!text.startsWith('[')) return [text];
  const reading = readJson(text);
  if (!reading.ok || !Array.isArray(reading.value)) return [text];
  const items: unknown[] = reading.value;
  return items.length > 0 && items.every((item) => typeof item === 'string') ? items : null;
}
