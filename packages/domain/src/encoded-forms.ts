/** A shorter encoding of a secret occurs by chance, so it is not searched for. */
export const ENCODED_LENGTH_MIN = 6;

/** The short escapes of JSON texts by their character, without the backslash. */
export const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/** The characters of base64 that differ in the URL alphabet, and those in their place. */
export const BASE64_URL: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/**
 * The characters of base64 text that a value of so many bytes alone decides, when `before` bytes precede it in its group
 * of three: the index of the first one, and the end (exclusive).
 */
export function base64Span(bytes: number, before: number): { first: number; end: number } {
  return { first: Math.ceil((before * 8) / 6), end: Math.floor(((before + bytes) * 8) / 6) };
}
