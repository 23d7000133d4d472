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
 * The mutants of a solution, in the order of its texts and lines, the same at every call. Each differs from the solution in
 * one spot, and no two are equal. Takes long for texts that are made for it. Throws ParserOutOfMemory.
 */
export async function mutantsOf(
  solution: Solution,
  isGradedTool: IsGradedTool = () => false,
): Promise<Mutant[]> {
  const parts = partsOf(solution, isGradedTool);
  const programs = parts.flatMap((part) => (part.language ? [{ part, language: part.language }] : []));
  const trees = await parseAll(
    programs.map(({ part: { text }, language: { grammar } }) => ({ grammar, text })),
  );
  const treeByPart = new Map(programs.map(({ part }, index) => [part, trees[index]]));
  return parts.flatMap((part) => mutantsOfPart(part, treeByPart.get(part)));
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
      // Only those of drawn mutants are read.
      get line() {
        return lineOf(text, edit.start);
      },
      get diff() {
        return diffOf(text, edit);
      },
      planted: () => part.put(applied(text, edit)),
    };
  }
}

function editsOf({ text, kind, language }: Part, tree: FlatTree | undefined): Edit[] {
  const root = tree && treeOf(tree);
  return language && root ? codeEdits(root, text, language) : textEdits(text, language ? 'values' : kind);
}
