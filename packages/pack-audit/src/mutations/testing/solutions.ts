import type { Solution } from '../../references/solution.js';
import type { Mutant } from '../mutant.js';
import { mutantsOf } from '../mutants.js';

const EMPTY: Solution = { files: [], timeoutSeconds: 60, environment: {} };

export function solutionOfFiles(files: Readonly<Record<string, string>>): Solution {
  const placed = Object.entries(files).map(([path, content]) => ({
    ...{ path, isExecutable: false },
    content: Buffer.from(content),
  }));
  return { ...EMPTY, files: placed };
}

export function solutionWith(parts: Partial<Solution>): Solution {
  return { ...EMPTY, ...parts };
}

export async function mutantsOfOne(
  solution: Solution,
  isGradedTool?: (name: string) => boolean,
): Promise<Mutant[]> {
  const [mutants = []] = await mutantsOf([solution], new AbortController().signal, isGradedTool);
  return mutants;
}

/** `operator: lines after the change`, of each mutant of each file; one call for all, as its thread takes long to start. */
export async function changesOfAll(
  files: readonly (readonly [path: string, source: string])[],
): Promise<string[][]> {
  const solutions = files.map(([path, source]) => solutionOfFiles({ [path]: source }));
  const mutants = await mutantsOf(solutions, new AbortController().signal);
  return mutants.map((each) => each.map(({ operator, diff }) => `${operator}: ${afterOf(diff)}`));
}

export async function changesOf(path: string, source: string): Promise<string[]> {
  const [changes = []] = await changesOfAll([[path, source]]);
  return changes;
}

function afterOf(diff: string): string {
  const added = diff.split('\n').filter((line) => line.startsWith('+'));
  return added.map((line) => line.slice(1).trim()).join('\n');
}
