import type { Run } from '@agentclash/contracts';

/** The members that name a run; lists and comparisons have them too. */
export interface NamedRun {
  id: string;
  number?: Run['number'];
  name?: string | null | undefined;
}

const SHORT_ID = 8;

/** `#42`; the id where there is no number. */
export function runHandle({ id, number }: NamedRun): string {
  return number === undefined ? id : `#${number}`;
}

/** `#42 nightly`, or `Run #42`; without a number the name, or the end of the id. */
export function runTitle({ id, number, name }: NamedRun): string {
  if (number === undefined) return name || `Run ${id.slice(-SHORT_ID)}`;
  return name ? `#${number} ${name}` : `Run #${number}`;
}

/** Shorter numbers are no part of an id. */
const UNAMBIGUOUS_BELOW = 1_000;

/** The argument of a command line that names the run, as it is typed into a shell. */
export function runArgument({ id, number }: NamedRun): string {
  if (number === undefined) return id;
  return number < UNAMBIGUOUS_BELOW ? String(number) : `'#${number}'`;
}

type Contender = NonNullable<Run['agents']>[number];

/** The agents that share the first rank; none where the pack could not grade all, or nothing was scored. */
export function leadersOf({
  agents = [],
  pack_errors: errors = [],
}: Pick<Run, 'agents' | 'pack_errors'>): Contender[] {
  return errors.length > 0
    ? []
    : agents.filter(({ rank, overall_so_far }) => rank === 1 && overall_so_far !== null);
}
