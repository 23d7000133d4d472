import { type JsonObject, type JsonValue, setMember } from '../json.js';
import { isBlank } from '../text/white-space.js';
import type { Decoding } from './decoding.js';
import type { FieldPath } from './field-path.js';
import type { Draft, Shape } from './shape.js';
import { isNull, type SourceEntry, type SourceNode } from './source.js';

export interface ListOptions {
  /** True when at least one entry is needed, else `required` at the list. */
  nonEmpty?: boolean;
  /** The most entries, else `too_long` at the list. */
  lengthMax?: number;
  /** Entries may not repeat: whole texts (`'entry'`), or the named field of records. */
  unique?: string;
}

/** A list; an unreadable entry leaves a hole in the draft. */
export function list<T>(entry: Shape<T>, options: ListOptions = {}): Shape<T[]> {
  return {
    nullAs: 'absent',
    blankAs: 'value',
    emptyAs: 'absent',
    schema: {
      type: ['array', 'null'],
      items: entry.schema,
      ...(options.nonEmpty && { minItems: 1 }),
      ...(options.lengthMax !== undefined && { maxItems: options.lengthMax }),
    },
    decode(node, at, decoding) {
      if (node.kind !== 'list') return decoding.mismatch(node, at, 'a list');
      if (options.nonEmpty && node.items.length === 0) {
        decoding.report('required', at, { message: 'at least one entry is needed' });
      }
      const { lengthMax } = options;
      if (lengthMax !== undefined && node.items.length > lengthMax) {
        decoding.report('too_long', at, { message: `at most ${lengthMax} entries` });
        decoding.sweep(node, at);
        return undefined;
      }
      const entries = node.items.map((item, index) => decodeEntry(entry, item, at.index(index), decoding));
      if (options.unique) reportRepeats(entries, options.unique, at, decoding);
      return entries;
    },
    encode: (entries) => entries.map((value) => entry.encode(value)),
  };
}

function decodeEntry<T>(shape: Shape<T>, node: SourceNode, at: FieldPath, decoding: Decoding) {
  if (isNull(node)) return decoding.mismatch(node, at, 'an entry');
  if (isBlankFor(shape, node)) {
    decoding.report('required', at, { message: 'the entry is blank' });
    return undefined;
  }
  return shape.decode(node, at, decoding);
}

function reportRepeats<T>(
  entries: (Draft<T> | undefined)[],
  unique: string,
  at: FieldPath,
  decoding: Decoding,
): void {
  const seen = new Set<unknown>();
  for (const [index, entry] of entries.entries()) {
    const path = at.index(index);
    const [value, location] =
      unique === 'entry' ? [entry, path] : [memberOf(entry, unique), path.field(unique)];
    if (value === undefined) continue;
    if (seen.has(value)) decoding.report('not_unique', location);
    seen.add(value);
  }
}

function memberOf(entry: unknown, name: string): unknown {
  return typeof entry === 'object' && entry !== null ? Reflect.get(entry, name) : undefined;
}

export interface MapOptions {
  /** A rule for keys; its finding is reported at the key. */
  checkKey?: (key: string) => { code: 'required' | 'malformed'; message?: string } | undefined;
  /** Rewrites keys before they are kept; keys equal afterwards are `not_unique`. */
  normalizeKey?: (key: string) => string;
  /** A pattern that every key matches, for editors. */
  keyPattern?: RegExp;
}

/** A map with author-chosen keys and values of one shape. */
export function map<T>(value: Shape<T>, options: MapOptions = {}): Shape<Record<string, T>> {
  return {
    nullAs: 'absent',
    blankAs: 'value',
    emptyAs: 'absent',
    schema: {
      type: ['object', 'null'],
      additionalProperties: value.schema,
      ...(options.keyPattern && { propertyNames: { pattern: options.keyPattern.source } }),
    },
    decode(node, at, decoding) {
      if (node.kind !== 'map') return decoding.mismatch(node, at, 'a map');
      const pathOf = (key: string) => at.key(key);
      decoding.reportRepeated(node, pathOf);
      decoding.reportUnusableKeys(node, at, pathOf);
      const read: Record<string, Draft<T>> = {};
      for (const [written, entry] of node.entries) {
        const key = acceptKey({ written, at, decoding, taken: read, options });
        const decoded = decodeMapValue(value, entry, at.key(written), decoding);
        if (key !== undefined && decoded !== undefined) defineOwn(read, key, decoded);
      }
      return read as Draft<Record<string, T>>;
    },
    encode(entries) {
      const encoded: JsonObject = {};
      for (const [key, entry] of Object.entries(entries)) setMember(encoded, key, value.encode(entry));
      return encoded;
    },
  };
}

interface KeyToAccept {
  written: string;
  at: FieldPath;
  decoding: Decoding;
  taken: object;
  options: MapOptions;
}

function acceptKey({ written, at, decoding, taken, options }: KeyToAccept): string | undefined {
  const finding = options.checkKey?.(written);
  if (finding) decoding.report(finding.code, at.key(written), { ...finding, at: 'key' });
  const key = options.normalizeKey?.(written) ?? written;
  if (!Object.hasOwn(taken, key)) return key;
  decoding.report('not_unique', at.key(written), { at: 'key' });
  return undefined;
}

function decodeMapValue<T>(shape: Shape<T>, entry: SourceEntry, at: FieldPath, decoding: Decoding) {
  const { value } = entry;
  if (isNull(value) && shape.nullAs !== 'value') {
    if (shape.nullAs === 'problem' || decoding.options.nullIsProblem)
      return decoding.mismatch(value, at, 'a value');
    decoding.report('required', at);
    return undefined;
  }
  if (isBlankFor(shape, value)) {
    decoding.report('required', at, { message: 'the value is blank' });
    return undefined;
  }
  return shape.decode(value, at, decoding);
}

/** True when the node is blank text that counts as absent. */
export function isBlankFor(shape: Pick<Shape<unknown>, 'blankAs'>, node: SourceNode): boolean {
  return shape.blankAs === 'absent' && node.kind === 'scalar' && node.value !== null && isBlank(node.text);
}

export function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function defineOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
