import type { JsonValue } from '../json.js';
import type { SourceNode, SourceScalar } from './source.js';

/** A JSON value as a source tree without places, so that shapes read stored JSON as they read a document. */
export function sourceOfJson(value: JsonValue): SourceNode {
  if (Array.isArray(value)) return { kind: 'list', at: 0, items: value.map(sourceOfJson) };
  if (typeof value !== 'object' || value === null) return scalar(value);
  const entries = Object.entries(value).map(
    ([key, member]) => [key, { keyAt: 0, value: sourceOfJson(member) }] as const,
  );
  return { kind: 'map', at: 0, entries: new Map(entries), repeated: [], unkeyed: [] };
}

function scalar(value: null | boolean | number | string): SourceScalar {
  return { kind: 'scalar', at: 0, value, text: value === null ? '' : String(value), oversized: false };
}
