import type { Solution } from '../references/solution.js';
import { codeEdits } from './code/code-edits.js';
import { parseAll } from './code/syntax/parse.js';
import { type FlatTree, treeOf } from './code/syntax/syntax-node.js';
import { applied, diffOf, type Edit, lineOf, ordered } from './edits/edit.js';
import type { Mutant } from './mutant.js';
import { type IsGradedTool, type Part, partsOf } from './parts.js';
import { textEdits } from './text/text-edits.js';

/** Of one text; more are thinned evenly. */
const MUTANTS_MAX = 2_000;

/**
 * The mutants of each solution, in the order of its texts and lines, the same at every call. Each differs from the solution
 * in one spot, and no two are equal. Throws as `runIsolated` where the thread that parses ends early.
 */
export async function mutantsOf(
  solutions: readonly Solution[],
  signal: AbortSignal,
  isGradedTool: IsGradedTool = () => false,
): Promise<Mutant[][]> {
  const parts = solutions.map((solution) => partsOf(solution, isGradedTool));
  const programs = parts.flat().flatMap(({ language, text }) => (language ? [{ language, text }] : []));
  const sources = new Map(
    programs.map(({ language: { grammar }, text }) => [keyOf(grammar, text), { grammar, text }]),
  );
  const trees = await parseAll([...sources.values()], signal);
  const treeByKey = new Map([...sources.keys()].map((key, index) => [key, trees[index]]));
  return parts.map((each) =>
    each.flatMap((part) =>
      mutantsOfPart(part, part.language && treeByKey.get(keyOf(part.language.grammar, part.text))),
    ),
  );
}

function keyOf(grammar: string, text: string): string {
  return `${grammar}\0${text}`;
}

function mutantsOfPart(part: Part, tree: FlatTree | undefined): Mutant[] {
  const { text, path } = part;
  const edits = ordered(text, editsOf(part, tree));
  const step = Math.max(1, edits.length / MUTANTS_MAX);
  const taken = Array.from(
    { length: Math.min(edits.length, MUTANTS_MAX) },
    (_, index) => edits[Math.floor(index * step)],
  );
  return taken.flatMap((edit) => (edit ? [mutantOf(edit)] : []));

  function mutantOf(edit: Edit): Mutant {
    return {
      operator: edit.operator,
      ...(path !== undefined && { path }),
      line: lineOf(text, edit.start),
      diff: diffOf(text, edit),
      planted: () => part.put(applied(text, edit)),
    };
  }
}

function editsOf({ text, kind, language }: Part, tree: FlatTree | undefined): Edit[] {
  const root = tree && treeOf(tree);
  return language && root ? codeEdits(root, text, language) : textEdits(text, language ? 'values' : kind);
}
