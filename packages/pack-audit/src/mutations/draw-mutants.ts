import { drawnNumber } from '../pack/sample.js';
import type { Solution } from '../references/solution.js';
import { type Change, changeOf } from './change.js';
import type { Mutant } from './mutant.js';
import { mutantsOf } from './mutants.js';
import type { IsGradedTool } from './parts.js';

/** A mutant of one solution. The first of each operator come before the second of any. */
export interface DrawnMutant extends Pick<Mutant, 'operator' | 'path' | 'line' | 'diff'> {
  change: Change;
  /** Among the mutants of its solution. */
  rank: number;
  drawn: number;
}

interface DrawOptions {
  /** Of the case, which with the seed decides. */
  name: string;
  seed: string;
  most: number;
  isGradedTool: IsGradedTool;
}

/** At most `most` mutants of a solution, drawn by the seed, in the order of their ranks. */
export async function drawMutants(
  solution: Solution,
  { name, seed, most, isGradedTool }: DrawOptions,
): Promise<DrawnMutant[]> {
  const mutants = await mutantsOf(solution, isGradedTool);
  const drawn = mutants.map((mutant, at) => ({ mutant, drawn: drawnNumber(seed, `${name}/${at}`) }));
  return byOperator(drawn)
    .slice(0, most)
    .flatMap(({ mutant, drawn: number }, rank) => {
      const { operator, path, line, diff } = mutant;
      const change = changeOf(solution, mutant.planted());
      if (!change) return [];
      return [{ operator, ...(path !== undefined && { path }), line, diff, change, rank, drawn: number }];
    });
}

interface Numbered {
  mutant: Mutant;
  drawn: number;
}

function byOperator(mutants: readonly Numbered[]): Numbered[] {
  const counts = new Map<string, number>();
  return [...mutants]
    .sort((a, b) => a.drawn - b.drawn)
    .map((each) => {
      const round = counts.get(each.mutant.operator) ?? 0;
      counts.set(each.mutant.operator, round + 1);
      return { ...each, round };
    })
    .sort((a, b) => a.round - b.round || a.drawn - b.drawn);
}
