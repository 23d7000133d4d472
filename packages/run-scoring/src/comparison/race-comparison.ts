import type { Race, RaceComparison, RacePair, Run } from '@agentclash/contracts';
import type { PairVerdict } from '@agentclash/domain';
import type { LanePair } from './lanes.js';

/** The verdict of the first of these runs whose race has both lanes, of the candidate; undefined for none. */
export function raceComparison(
  runs: readonly Pick<Run, 'id' | 'race' | 'stopped'>[],
  { baseline, candidate }: LanePair,
): RaceComparison | undefined {
  if (baseline === undefined || candidate === undefined) return undefined;
  for (const { id, race, stopped } of runs) {
    const pair = race?.pairs.find(({ a, b }) => a === candidate.id && b === baseline.id);
    const mirrored = race?.pairs.find(({ a, b }) => a === baseline.id && b === candidate.id);
    const found = pair ?? (mirrored && mirror(mirrored));
    if (race === undefined || found === undefined) continue;
    return { run_id: id, ...(stopped && { stopped }), ...comparisonOf(race, found) };
  }
  return undefined;
}

function comparisonOf({ goal, metric, alpha, pairs }: Race, pair: RacePair) {
  const { verdict, difference, lower, upper, cases, population, missing } = pair;
  return {
    ...{ goal, metric, alpha, pairs: pairs.length, difference, cases, population, missing },
    // Both runs have ended.
    verdict: verdict ?? 'undecided',
    interval: [lower, upper] satisfies RaceComparison['interval'],
  };
}

const MIRRORED: { [V in PairVerdict]: PairVerdict } = {
  better: 'worse',
  worse: 'better',
  equivalent: 'equivalent',
  exact: 'exact',
  insufficient: 'insufficient',
  undecided: 'undecided',
};

/** The pair as the second lane sees it. */
function mirror({ a, b, verdict, difference, lower, upper, ...counts }: RacePair): RacePair {
  return {
    ...{ ...counts, a: b, b: a },
    verdict: verdict && MIRRORED[verdict],
    difference: difference && -difference,
    lower: negative(upper),
    upper: negative(lower),
  };
}

/** Without a negative zero. */
function negative(value: number): number {
  return value === 0 ? 0 : -value;
}
