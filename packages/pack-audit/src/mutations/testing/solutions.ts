import type { Solution } from '../../references/solution.js';
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

/** `operator: lines after the change`, of each mutant of the file. */
export async function changesOf(path: string, source: string): Promise<string[]> {
  const mutants = await mutantsOf(solutionOfFiles({ [path]: source }));
  return mutants.map(({ operator, diff }) => `${operator}: ${afterOf(diff)}`);
}

function afterOf(diff: string): string {
  const added = diff.split('\n').filter((line) => line.startsWith('+'));
  return added.map((line) => line.slice(1).trim()).join('\n');
}
