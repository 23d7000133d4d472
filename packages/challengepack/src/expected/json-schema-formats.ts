import type { Ajv } from 'ajv';
import ajvFormats, { type FormatName } from 'ajv-formats';
import { compileRegex } from './regex.js';

/** Formats that are another one with letters beyond ASCII. */
const INTERNATIONAL: readonly [name: string, ascii: FormatName][] = [
  ['idn-email', 'email'],
  ['idn-hostname', 'hostname'],
  ['iri', 'uri'],
  ['iri-reference', 'uri-reference'],
];

/** Teaches a validator every format of the drafts. A format of no draft is not asserted. */
export function addFormats(ajv: Ajv): void {
  ajvFormats.default(ajv);
  ajv.addFormat('regex', (pattern: string) => compileRegex(pattern) !== null);
  for (const [name, ascii] of INTERNATIONAL) {
    const format = ajvFormats.default.get(ascii);
    ajv.addFormat(name, (text: string) => holds(format, text.replace(/[^\0-\x7f]/gu, 'a')));
  }
}

function holds(format: ReturnType<typeof ajvFormats.default.get>, text: string): boolean {
  if (format instanceof RegExp) return format.test(text);
  if (typeof format === 'function') return format(text);
  return false;
}
