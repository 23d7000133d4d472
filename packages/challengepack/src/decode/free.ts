import { type JsonObject, type JsonValue, setMember } from '../json.js';
import { type Decoding, hasUnpairedSurrogate } from './decoding.js';
import type { FieldPath } from './field-path.js';
import { isBeyondJson, reportBeyondJson } from './numbers.js';
import type { Shape } from './shape.js';
import type { SourceMap, SourceNode, SourceScalar } from './source.js';

/** Any JSON value, kept with its core-schema type and never coerced. `null: 'value'` makes null a value as well. */
export function any(options: { null?: 'absent' | 'value' } = {}): Shape<JsonValue> {
  return {
    nullAs: options.null ?? 'absent',
    blankAs: 'value',
    emptyAs: 'value',
    schema: {},
    decode: decodeFree,
    encode: (value) => value,
  };
}

/** A map whose keys and values the author chose freely. */
export function freeMap(): Shape<JsonObject> {
  return {
    nullAs: 'absent',
    blankAs: 'value',
    emptyAs: 'value',
    schema: { type: ['object', 'null'] },
    decode(node, at, decoding) {
      if (node.kind !== 'map') return decoding.mismatch(node, at, 'a map');
      return decodeFreeMap(node, at, decoding);
    },
    encode: (value) => value,
  };
}

function decodeFree(node: SourceNode, at: FieldPath, decoding: Decoding): JsonValue | undefined {
  if (node.kind === 'map') return decodeFreeMap(node, at, decoding);
  if (node.kind === 'scalar') return decodeFreeScalar(node, at, decoding);
  // An unusable entry keeps its place, so that later ones keep their index.
  return node.items.map((item, index) => decodeFree(item, at.index(index), decoding) ?? null);
}

function decodeFreeMap(node: SourceMap, at: FieldPath, decoding: Decoding): JsonObject {
  const pathOf = (key: string) => at.key(key);
  decoding.reportRepeated(node, pathOf);
  decoding.reportUnusableKeys(node, at, pathOf);
  const map: JsonObject = {};
  for (const [key, entry] of node.entries) {
    const value = decodeFree(entry.value, at.key(key), decoding);
    if (value !== undefined) setMember(map, key, value);
  }
  return map;
}

function decodeFreeScalar(node: SourceScalar, at: FieldPath, decoding: Decoding): JsonValue | undefined {
  if (isBeyondJson(node)) return reportBeyondJson(at, decoding);
  if (typeof node.value === 'string' && hasUnpairedSurrogate(node.value)) {
    decoding.report('not_json', at, { message: 'the text holds an unpaired surrogate' });
    return undefined;
  }
  return node.value;
}
