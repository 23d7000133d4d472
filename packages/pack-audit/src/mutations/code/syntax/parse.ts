import { createRequire } from 'node:module';
import path from 'node:path';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import type { FlatTree } from './syntax-node.js';

/** Of one source, in characters; longer ones have no tree. */
const SOURCE_MAX = 131_072;
/** Of all sources of one call, in characters; those beyond have no tree. */
const SOURCES_MAX = 4_194_304;
/** Of one tree. */
const NODES_MAX = 200_000;
/** Nodes below this depth are left out: what looks at the ancestors of every node takes no quadratic time. */
const DEPTH_MAX = 400;
/** Reports of progress of one parse: a bound on its time that does not depend on the load of the machine. */
const STEPS_MAX = 200_000;
/** WebAssembly memory of all parsers, which no limit of a thread covers. */
const PAGES_INITIAL = 512;
const PAGES_MAX = 4_096;

// The types of Node.js lack it.
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object };

export interface CodeSource {
  /** The name of a grammar, such as `python`. */
  grammar: string;
  text: string;
}

/** The parser has no memory left, and cannot be used again in this thread. */
export class ParserOutOfMemory extends Error {
  override readonly name = 'ParserOutOfMemory';
  /** That of a thread that has no memory left. */
  readonly code = 'ERR_WORKER_OUT_OF_MEMORY';
}

/**
 * The syntax tree of each source, without nodes of what is no syntax of its language; undefined for a source beyond the
 * limits. Sources are untrusted, so that threads without a limit on time parse none of others.
 */
export async function parseAll(sources: readonly CodeSource[]): Promise<(FlatTree | undefined)[]> {
  let total = 0;
  const trees: (FlatTree | undefined)[] = [];
  for (const { grammar, text } of sources) {
    const isTaken = text.length <= SOURCE_MAX && total + text.length <= SOURCES_MAX;
    total += isTaken ? text.length : 0;
    trees.push(isTaken ? await parse(grammar, text) : undefined);
  }
  return trees;
}

async function parse(grammar: string, text: string): Promise<FlatTree | undefined> {
  const { Parser } = await loaded();
  const parser = new Parser();
  parser.setLanguage(await language(grammar));
  let steps = 0;
  try {
    const tree = parser.parse(text, null, { progressCallback: () => ++steps > STEPS_MAX });
    const flattened = tree ? flat(tree) : undefined;
    tree?.delete();
    parser.delete();
    return flattened;
  } catch (cause) {
    throw new ParserOutOfMemory('the parser has no memory left', { cause });
  }
}

const languages = new Map<string, Promise<TreeSitter.Language>>();
let module: Promise<typeof TreeSitter> | undefined;

function loaded(): Promise<typeof TreeSitter> {
  module ??= load();
  return module;
}

async function load(): Promise<typeof TreeSitter> {
  const treeSitter: typeof TreeSitter = createRequire(import.meta.url)('@vscode/tree-sitter-wasm');
  const options: object = {
    wasmMemory: new WebAssembly.Memory({ initial: PAGES_INITIAL, maximum: PAGES_MAX }),
  };
  await treeSitter.Parser.init(options as Parameters<typeof treeSitter.Parser.init>[0]);
  return treeSitter;
}

function language(grammar: string): Promise<TreeSitter.Language> {
  const known = languages.get(grammar) ?? loadLanguage(grammar);
  languages.set(grammar, known);
  return known;
}

async function loadLanguage(grammar: string): Promise<TreeSitter.Language> {
  const { Language } = await loaded();
  const folder = path.dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));
  return await Language.load(path.join(folder, `tree-sitter-${grammar}.wasm`));
}

/** Undefined for a tree of too many nodes. */
function flat(tree: TreeSitter.Tree): FlatTree | undefined {
  const types = new Names();
  const fields = new Names();
  const nodes: number[] = [];
  const cursor = tree.walk();
  const parents = [-1];
  for (let count = 0; ; ) {
    if (cursor.nodeType !== 'ERROR' && !cursor.nodeIsMissing) {
      if (count >= NODES_MAX) return undefined;
      const field = cursor.currentFieldName;
      nodes.push(types.indexOf(cursor.nodeType), cursor.startIndex, cursor.endIndex);
      nodes.push(cursor.nodeIsNamed ? 1 : 0, parents.at(-1) ?? -1, field ? fields.indexOf(field) : -1);
      count++;
      if (parents.length < DEPTH_MAX && cursor.gotoFirstChild()) {
        parents.push(count - 1);
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      parents.pop();
      if (!cursor.gotoParent()) {
        cursor.delete();
        return {
          nodes: Int32Array.from(nodes),
          types: types.all,
          fields: fields.all,
          isBroken: tree.rootNode.hasError,
        };
      }
    }
  }
}

class Names {
  readonly all: string[] = [];
  private readonly indexes = new Map<string, number>();

  indexOf(name: string): number {
    const known = this.indexes.get(name);
    if (known !== undefined) return known;
    this.indexes.set(name, this.all.length);
    return this.all.push(name) - 1;
  }
}
