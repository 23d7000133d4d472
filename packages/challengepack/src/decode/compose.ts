import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type ResolvedScalar, resolvePlain, resolveTagged } from './core-schema.js';
import { Fatal } from './fatal.js';
import type { SourceEntry, SourceMap, SourceNode, SourceScalar } from './source.js';

export const DOCUMENT_BYTES_MAX = 1_048_576;
/** Levels of nested lists and maps; the root map is the first. */
export const LEVELS_MAX = 100;
/** Values, keys included, once aliases are expanded. */
export const NODES_MAX = 250_000;

const MAP_TAG = 'tag:yaml.org,2002:map';
const LIST_TAG = 'tag:yaml.org,2002:seq';
const MERGE_KEY = '<<';

/** A finished subtree with its size once aliases are expanded, and its levels of nesting. */
interface Composed {
  node: SourceNode;
  nodes: number;
  levels: number;
}

/**
 * Turns the parser's tree into the source tree: resolves scalars, aliases and merge keys, keeps the first of repeated
 * keys. Throws {@link Fatal} for an unknown alias or tag and beyond the limits.
 */
export function compose(contents: unknown): SourceNode {
  return new Composition().composed(contents, 1).node;
}

class Composition {
  /** By anchor; undefined while its own content is being read. */
  readonly #anchors = new Map<string, Composed | undefined>();
  #nodes = 0;

  composed(node: unknown, level: number): Composed {
    if (isAlias(node)) return this.#alias(node, level);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const composed = this.#content(node, level);
    if (anchor !== undefined) this.#anchors.set(anchor, composed);
    return composed;
  }

  #content(node: unknown, level: number): Composed {
    this.#count(1);
    if (isScalar(node)) return { node: scalar(node), nodes: 1, levels: 0 };
    if (level > LEVELS_MAX) throw tooDeep();
    if (isSeq(node)) return this.#list(node, level);
    if (isMap(node)) return this.#map(node, level);
    return { node: absent(0), nodes: 1, levels: 0 };
  }

  #alias(alias: Alias, level: number): Composed {
    const at = offsetOf(alias);
    if (!this.#anchors.has(alias.source)) {
      const message = `there is no anchor &${alias.source}; a text that begins with * has to be in quotes`;
      throw new Fatal('yaml_syntax', message, at);
    }
    const target = this.#anchors.get(alias.source);
    if (!target) throw new Fatal('yaml_limit', `the alias *${alias.source} is inside its own anchor`, at);
    if (level - 1 + target.levels > LEVELS_MAX) throw tooDeep();
    this.#count(target.nodes);
    return target;
  }

  #list(list: YAMLSeq, level: number): Composed {
    checkTag(list, LIST_TAG);
    const items = list.items.map((item) => this.composed(item, level + 1));
    return {
      node: { kind: 'list', at: offsetOf(list), items: items.map((item) => item.node) },
      nodes: sum(items) + 1,
      levels: deepest(items) + 1,
    };
  }

  #map(map: YAMLMap, level: number): Composed {
    checkTag(map, MAP_TAG);
    const node: SourceMap = { kind: 'map', at: offsetOf(map), entries: new Map(), repeated: [], unkeyed: [] };
    const merges: SourceEntry[] = [];
    const before = this.#nodes;
    let levels = 0;
    for (const pair of map.items) {
      const key = this.composed(pair.key, level + 1);
      const value = pair.value === null ? this.#absent(pair) : this.composed(pair.value, level + 1);
      levels = Math.max(levels, key.levels, value.levels);
      const entry = { keyAt: keyOffset(pair, key), value: value.node };
      if (isMergeKey(pair.key) && merges.length === 0) merges.push(entry);
      else addEntry(node, key.node, entry);
    }
    for (const merge of merges) this.#merge(node, merge);
    return { node, nodes: this.#nodes - before + 1, levels: levels + 1 };
  }

  #absent(pair: Pair): Composed {
    this.#count(1);
    return { node: absent(offsetOf(pair.key)), nodes: 1, levels: 0 };
  }

  /** A written key wins over a merged one, an earlier merged map over a later one. */
  #merge(into: SourceMap, merge: SourceEntry): void {
    const sources = merge.value.kind === 'list' ? merge.value.items : [merge.value];
    for (const source of sources) {
      if (source.kind !== 'map') {
        if (source.kind === 'scalar' && source.value === null && source === merge.value) continue;
        throw new Fatal('yaml_syntax', 'a merge key takes a map or a list of maps', merge.keyAt);
      }
      this.#count(source.entries.size);
      for (const [key, entry] of source.entries) if (!into.entries.has(key)) into.entries.set(key, entry);
    }
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > NODES_MAX) {
      throw new Fatal('yaml_limit', `more than ${NODES_MAX} values once aliases are expanded`);
    }
  }
}

function addEntry(map: SourceMap, key: SourceNode, entry: SourceEntry): void {
  if (key.kind !== 'scalar' || key.value === null) map.unkeyed.push(entry);
  else if (map.entries.has(key.text)) map.repeated.push({ key: key.text, ...entry });
  else map.entries.set(key.text, entry);
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === MERGE_KEY && key.tag === undefined && isPlain(key);
}

function isPlain(node: Scalar): boolean {
  return node.type === undefined || node.type === Scalar.PLAIN;
}

function scalar(node: Scalar): SourceScalar {
  const text = node.source ?? String(node.value ?? '');
  const at = offsetOf(node);
  return { kind: 'scalar', at, text, ...resolve(node, text, at) };
}

function resolve(node: Scalar, text: string, at: number): ResolvedScalar {
  if (node.tag === undefined || node.tag === '!') {
    return node.tag === undefined && isPlain(node) ? resolvePlain(text) : { value: text, oversized: false };
  }
  const resolved = resolveTagged(node.tag, text);
  if (!resolved) {
    const message = `the tag ${node.tag} does not fit here; a text that begins with ! has to be in quotes`;
    throw new Fatal('yaml_syntax', message, at);
  }
  return resolved;
}

function checkTag(node: YAMLMap | YAMLSeq, wanted: string): void {
  if (node.tag === undefined || node.tag === wanted) return;
  throw new Fatal('yaml_syntax', `the tag ${node.tag} does not fit here`, offsetOf(node));
}

function absent(at: number): SourceScalar {
  return { kind: 'scalar', at, text: '', value: null, oversized: false };
}

function keyOffset(pair: Pair, key: Composed): number {
  return isAlias(pair.key) ? offsetOf(pair.key) : key.node.at;
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

function sum(parts: readonly Composed[]): number {
  return parts.reduce((total, part) => total + part.nodes, 0);
}

function deepest(parts: readonly Composed[]): number {
  return parts.reduce((levels, part) => Math.max(levels, part.levels), 0);
}

function tooDeep(): Fatal {
  return new Fatal('yaml_limit', `more than ${LEVELS_MAX} levels of lists and maps`);
}
