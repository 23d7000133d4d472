import { ImportError } from './import-error.js';
import type { ImportRequest } from './importer.js';
import type { Losses } from './loss-report.js';

/** A task that was read, before it is known whether the pack has it. */
export interface Candidate {
  /** The file or row of the source that describes it. */
  where: string;
  key: string;
  /** The fates of what was read for it. */
  losses: Losses;
  /** Why it cannot run here; empty where it can. */
  missing: readonly string[];
  /** True where its image has to be built, which not every executor does. */
  isBuilt?: boolean;
}

/** True for a task that every executor can run. */
export function runsAnywhere({ missing, isBuilt = false }: Candidate): boolean {
  return missing.length === 0 && !isBuilt;
}

const LISTED_MAX = 20;
const OPTION = '--include-unrunnable';

/**
 * The candidates for the pack. One that cannot run would give every agent a zero: it is left out, and the report has
 * the reasons, unless the option includes it. Throws ImportError where nothing is left.
 */
export function withoutUnrunnable<T extends Candidate>(
  candidates: readonly T[],
  { options, losses }: Pick<ImportRequest, 'options' | 'losses'>,
): T[] {
  const areIncluded = options.includeUnrunnable === 'true';
  const chosen = candidates.filter(({ missing }) => areIncluded || missing.length === 0);
  if (chosen.length === 0 && candidates.length > 0) throw noneCanRun(candidates);
  for (const { where, key, missing, losses: own } of candidates) {
    const reasons = missing.join('; ');
    if (missing.length === 0 || areIncluded) losses.add(own);
    if (missing.length > 0 && areIncluded) losses.warn(`${key} is in the pack and cannot run: ${reasons}`);
    else if (missing.length > 0) losses.dropped(where, key, `left out of the pack: ${reasons}`);
  }
  return chosen;
}

function noneCanRun(candidates: readonly Candidate[]): ImportError {
  const problems = candidates
    .slice(0, LISTED_MAX)
    .map(({ key, missing }) => ({ message: `${key}: ${missing.join('; ')}` }));
  const more = candidates.length - problems.length;
  if (more > 0) problems.push({ message: `${more} further tasks cannot run either` });
  const hint = `Change what is named above and import again, or write the pack as it is with ${OPTION}. Nothing was written.`;
  return new ImportError([{ message: 'none of the tasks can run here' }, ...problems], hint);
}

/** The input sets of a pack: of what runs anywhere, and of all where that is more. */
export function setsOfRunnable<T extends Candidate>(
  chosen: readonly T[],
  { caseOf, isWhole }: { caseOf: (task: T) => Record<string, unknown>; isWhole: boolean },
) {
  const runnable = chosen.filter(runsAnywhere);
  const all = { key: 'all', name: 'All tasks', cases: chosen.map(caseOf) };
  if (runnable.length === 0) return [all];
  const some = {
    key: 'runnable',
    name: 'Tasks that every executor can run',
    description: 'Without those that need a build of an image, or what no sandbox has; README.md names them.',
    cases: runnable.map(caseOf),
  };
  if (runnable.length < chosen.length) return [some, all];
  return isWhole ? [all] : [some];
}
