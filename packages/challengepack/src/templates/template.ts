import type { JsonObject, JsonValue } from '../json.js';
import { ownMember, setMember } from '../json.js';
import type { Input } from '../pack/model.js';
import { jsonText } from '../values/json-text.js';

/** One `{{path}}`; anything else that uses braces is plain text. */
const PLACEHOLDER = /\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.]*)[ \t]*\}\}/g;

/** The context of a case template: the payload, overlaid with each input that has a value, by key. */
export function templateContext(
  payload: JsonObject,
  inputs: readonly Pick<Input, 'key' | 'value'>[] = [],
): JsonObject {
  const context: JsonObject = {};
  for (const [key, value] of Object.entries(payload)) setMember(context, key, value);
  for (const { key, value } of inputs) {
    if (value !== undefined && value !== null) setMember(context, key, value);
  }
  return context;
}

/** A strict template that names a value its case does not have. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly code: 'unresolved_placeholder' | 'invalid_placeholder',
    /** The path as written. */
    readonly path: string,
  ) {
    super(code === 'invalid_placeholder' ? `{{${path}}} has an empty segment` : `{{${path}}} has no value`);
  }
}

/**
 * Fills a case template once; inserted text is not scanned again. `lenient` leaves unknown placeholders as they are
 * written; `strict` throws TemplateError.
 */
export function renderTemplate(text: string, context: JsonObject, mode: 'strict' | 'lenient'): string {
  return text.replace(PLACEHOLDER, (written, path: string) => {
    const value = lookUp(context, path);
    if (value !== undefined) return format(value);
    if (mode === 'lenient') return written;
    throw new TemplateError(hasEmptySegment(path) ? 'invalid_placeholder' : 'unresolved_placeholder', path);
  });
}

/** The distinct paths a template names, in order of appearance. */
export function templatePaths(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, path]) => path ?? ''))];
}

/** The beginning of a placeholder whose line ends before any `}}`. */
const UNCLOSED = /\{\{[ \t]*([A-Za-z_][A-Za-z0-9_.]*)(?![A-Za-z0-9_.])(?!.*\}\})/g;

/** The distinct paths of placeholders that are opened and not closed on their line. */
export function unclosedPaths(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.includes('{{'));
  return [...new Set(lines.flatMap((line) => Array.from(line.matchAll(UNCLOSED), ([, path]) => path ?? '')))];
}

export function hasEmptySegment(path: string): boolean {
  return path.split('.').includes('');
}

/** The value behind a path: own members of maps, never of lists. */
export function lookUp(context: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = context;
  for (const segment of path.split('.')) {
    if (segment === '') return undefined;
    value = ownMember(value, segment);
  }
  return value;
}

function format(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return jsonText(value);
  if (Number.isInteger(value)) return BigInt(value).toString();
  const decimal = value.toFixed(6).replace(/\.?0+$/, '');
  return decimal === '-0' ? '0' : decimal;
}
