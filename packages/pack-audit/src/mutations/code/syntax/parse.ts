import { createRequire } from 'node:module';
import { runIsolated, type WorkerScope } from '@agentclash/engine';
import type { FlatTree } from './syntax-node.js';

/** Of one source, in characters; longer ones have no tree. */
const SOURCE_MAX = 131_072;
/** Of all sources of one call, in characters; those beyond have no tree. */
const SOURCES_MAX = 4_194_304;
/** Of one tree. */
const NODES_MAX = 200_000;
/** Reports of progress of one parse: a bound on its time that does not depend on the load of the machine. */
const STEPS_MAX = 200_000;
/** Of all sources. It only ends a worker that hangs. */
const TIMEOUT_MS = 120_000;

export interface CodeSource {
  /** The name of a grammar, such as `python`. */
  grammar: string;
  text: string;
}

interface ParseInput {
  modulePath: string;
  sources: readonly CodeSource[];
  nodesMax: number;
  stepsMax: number;
}

const modulePath = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm');

/**
 * The syntax tree of each source, without nodes of what is no syntax of its language; undefined for a source beyond the
 * limits. Parses in a thread with limits on time and memory, since sources are untrusted. Throws as `runIsolated`.
 */
export async function parseAll(
  sources: readonly CodeSource[],
  signal: AbortSignal,
): Promise<(FlatTree | undefined)[]> {
  let total = 0;
  const taken = sources.filter(({ text }) => {
    if (text.length > SOURCE_MAX || total + text.length > SOURCES_MAX) return false;
    total += text.length;
    return true;
  });
  if (taken.length === 0) return sources.map(() => undefined);
  const input = { modulePath, sources: taken, nodesMax: NODES_MAX, stepsMax: STEPS_MAX };
  const trees = await runIsolated(parseMain, input, { timeoutMs: TIMEOUT_MS, signal });
  const treeOf = new Map(taken.map((source, index) => [source, trees[index] ?? undefined]));
  return sources.map((source) => treeOf.get(source));
}

/** Only its text is sent to the worker. */
async function parseMain({ require, input }: WorkerScope<ParseInput>): Promise<(FlatTree | null)[]> {
  const { Parser, Language } = require(input.modulePath);
  const folder = require('node:path').dirname(input.modulePath);
  await Parser.init();
  const languages = new Map();
  const trees: (FlatTree | null)[] = [];
  for (const { grammar, text } of input.sources) {
    if (!languages.has(grammar)) {
      languages.set(grammar, await Language.load(`${folder}/tree-sitter-${grammar}.wasm`));
    }
    const parser = new Parser();
    parser.setLanguage(languages.get(grammar));
    let steps = 0;
    const tree = parser.parse(text, null, { progressCallback: () => ++steps > input.stepsMax });
    trees.push(tree && flat(tree));
    tree?.delete();
    parser.delete();
  }
  return trees;

  // biome-ignore lint/suspicious/noExplicitAny: the module is loaded by path, in the worker.
  function flat(tree: any): FlatTree | null {
    const types: string[] = [];
    const fields: string[] = [];
    const nodes: number[] = [];
    const indexIn = (names: string[], name: string) => {
      const known = names.indexOf(name);
      return known === -1 ? names.push(name) - 1 : known;
    };
    const cursor = tree.walk();
    const parents = [-1];
    for (let isDone = false; !isDone; ) {
      const isBroken = cursor.nodeType === 'ERROR' || cursor.nodeIsMissing;
      const index = nodes.length / 6;
      if (index >= input.nodesMax) return null;
      if (!isBroken) {
        const field = cursor.currentFieldName;
        nodes.push(
          indexIn(types, cursor.nodeType),
          cursor.startIndex,
          cursor.endIndex,
          cursor.nodeIsNamed ? 1 : 0,
          parents[parents.length - 1] ?? -1,
          field ? indexIn(fields, field) : -1,
        );
        if (cursor.gotoFirstChild()) {
          parents.push(index);
          continue;
        }
      }
      while (!cursor.gotoNextSibling()) {
        parents.pop();
        if (!cursor.gotoParent()) {
          isDone = true;
          break;
        }
      }
    }
    return { nodes: Int32Array.from(nodes), types, fields, isBroken: tree.rootNode.hasError };
  }
}
