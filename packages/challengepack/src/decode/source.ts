import type { PathStep } from './field-path.js';

/**
 * The authored document as a tree that remembers where everything was written. Aliases and merge keys are resolved:
 * what they reach is shared and keeps the place where it is written. `at` is an offset in UTF-16 units.
 */
export type SourceNode = SourceScalar | SourceList | SourceMap;

export interface SourceScalar {
  kind: 'scalar';
  at: number;
  /** The core-schema value; may be NaN or infinite, which only string fields accept. */
  value: null | boolean | number | string;
  /** The source text: what a string field takes, whatever the value. */
  text: string;
  /** An integer written out beyond ±(2⁵³−1), which no double holds. */
  oversized: boolean;
}

interface SourceList {
  kind: 'list';
  at: number;
  items: SourceNode[];
}

export interface SourceMap {
  kind: 'map';
  at: number;
  entries: Map<string, SourceEntry>;
  /** Keys written again; the first occurrence is the one kept in `entries`. */
  repeated: { key: string; keyAt: number; value: SourceNode }[];
  /** Offsets of null and compound keys, which have no JSON form; their values are dropped. */
  unkeyed: { keyAt: number; value: SourceNode }[];
}

export interface SourceEntry {
  keyAt: number;
  value: SourceNode;
}

export function isNull(node: SourceNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** The end of `steps`: the node, or the deepest one that exists on the way. */
export function locate(root: SourceNode, steps: readonly PathStep[]): Located {
  let node = root;
  let keyAt = root.at;
  for (const step of steps) {
    const next = descend(node, step);
    if (!next) return { found: false, node, keyAt };
    node = next.value;
    keyAt = next.keyAt;
  }
  return { found: true, node, keyAt };
}

export interface Located {
  found: boolean;
  node: SourceNode;
  keyAt: number;
}

function descend(node: SourceNode, step: PathStep): SourceEntry | undefined {
  if (typeof step === 'string') return node.kind === 'map' ? node.entries.get(step) : undefined;
  const item = node.kind === 'list' ? node.items[step] : undefined;
  return item && { keyAt: item.at, value: item };
}

/** Turns offsets into lines and columns, both from 1, columns in UTF-16 units. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
