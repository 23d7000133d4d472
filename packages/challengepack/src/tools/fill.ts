import {
  isOpaqueObject,
  joinPieces,
  jsonText,
  type OpaqueJson,
  type OpaqueObject,
  OpaqueText,
  type SecretPiece,
  TEXT_ENCODINGS,
} from './opaque-text.js';
import { isPlaceholder, type Placeholder, type Reference, templateParts } from './placeholder.js';

export type PlaceholderErrorCode = 'missing_parameter' | 'unsafe_path_segment' | 'invalid_placeholder';

/** A call whose arguments cannot fill its tool's template; `ref` is the reference as written. */
export class PlaceholderError extends Error {
  override readonly name = 'PlaceholderError';

  constructor(
    readonly code: PlaceholderErrorCode,
    readonly ref: string,
  ) {
    super(`${SENTENCES[code]}: ${ref}`);
  }
}

const SENTENCES: Record<PlaceholderErrorCode, string> = {
  missing_parameter: 'no value was given for',
  unsafe_path_segment: 'a path segment may not be "." or ".."',
  invalid_placeholder: 'not a placeholder',
};

/** Finds the value behind a reference; undefined when there is none. */
export type Lookup = (ref: Reference) => OpaqueJson | undefined;

export interface FillOptions {
  /** `keep` leaves a placeholder without a value as it is written; default: PlaceholderError. */
  missing?: 'fail' | 'keep';
}

/**
 * Fills the string values of a tool's `args`, at any depth, from the arguments of a call. Secrets stay opaque; inserted
 * values are never scanned again. Throws PlaceholderError.
 */
export function fillPlaceholders(
  template: OpaqueJson,
  args: OpaqueObject,
  options?: FillOptions,
): OpaqueJson {
  return fillTemplate(template, argumentLookup(args), options);
}

/** {@link fillPlaceholders} over any source of values. */
export function fillTemplate(template: OpaqueJson, lookup: Lookup, options: FillOptions = {}): OpaqueJson {
  if (typeof template === 'string') return fillText(template, lookup, options);
  if (Array.isArray(template)) return template.map((entry) => fillTemplate(entry, lookup, options));
  if (!isOpaqueObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, member]) => [key, fillTemplate(member, lookup, options)]),
  );
}

/** Looks references up in the arguments of a call: own keys of objects only. */
export function argumentLookup(args: OpaqueObject): Lookup {
  return (ref) => {
    if (ref.kind === 'parameters') return args;
    if (ref.kind === 'secret') return OpaqueText.of(ref.key);
    return descend(args, ref.path);
  };
}

/** Follows own keys of objects, never a list's elements. */
export function descend(value: OpaqueJson | undefined, path: readonly string[]): OpaqueJson | undefined {
  let found = value;
  for (const key of path) {
    if (!isOpaqueObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

function fillText(text: string, lookup: Lookup, options: FillOptions): OpaqueJson {
  const parts = templateParts(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && isPlaceholder(only) && !only.encoding) {
    const value = lookup(only.ref);
    return value === undefined ? sourceOf(only, options) : value;
  }
  const pieces: (string | SecretPiece)[] = [];
  for (const part of parts) {
    if (typeof part === 'string') pieces.push(part);
    else if (isPlaceholder(part)) pieces.push(...piecesOf(encoded(part, lookup, options)));
    else if (options.missing === 'keep') pieces.push(part.invalid);
    else throw new PlaceholderError('invalid_placeholder', part.invalid);
  }
  return joinPieces(pieces);
}

function encoded(placeholder: Placeholder, lookup: Lookup, options: FillOptions): string | OpaqueText {
  const { encoding, ref } = placeholder;
  const value = lookup(ref);
  if (value === undefined) return sourceOf(placeholder, options);
  if (encoding === 'json') return jsonText(value);
  const text = typeof value === 'string' || value instanceof OpaqueText ? value : jsonText(value);
  if (encoding === undefined) return text;
  if (encoding === 'path' && (text === '.' || text === '..')) {
    throw new PlaceholderError('unsafe_path_segment', ref.name);
  }
  return typeof text === 'string' ? TEXT_ENCODINGS[encoding](text) : text.encode(encoding);
}

/** The text in the position of a missing value. */
function sourceOf(placeholder: Placeholder, options: FillOptions): string {
  if (options.missing === 'keep') return placeholder.source;
  throw new PlaceholderError('missing_parameter', placeholder.ref.name);
}

function piecesOf(text: string | OpaqueText): readonly (string | SecretPiece)[] {
  return typeof text === 'string' ? [text] : text.pieces;
}
