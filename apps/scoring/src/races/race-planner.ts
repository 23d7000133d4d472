import type { In, Out, races } from '@agentclash/contracts';
import { discordanceOf, pairCount, planRace } from '@agentclash/grading';

type Request = Omit<In<typeof races.plan>, 'workspace_id'>;
type Values = Request['earlier'][number];

/** Two lanes that pass half the cases each, independently of one another. */
const DISCORDANCE_ASSUMED = 0.5;

/** Common cases of two lanes below which their discordance is not estimated. */
const COMMON_CASES_MIN = 10;

/** Plans a race by simulation, in a thread. */
export function plannedRace(request: Request): Out<typeof races.plan> {
  const { goal, lanes, earlier, discordance: given, ...options } = request;
  const found = given === null ? earlierDiscordance(earlier, goal) : null;
  const pairs = pairCount(goal, lanes);
  const plan = planRace({ ...options, pairs, discordance: given ?? found ?? DISCORDANCE_ASSUMED });
  const discordance_source = given !== null ? 'request' : found !== null ? 'earlier_runs' : 'assumed';
  return { ...plan, pairs, discordance_source };
}

/** Of the pair of the goal that differs most; null where no pair has enough common cases. */
function earlierDiscordance(earlier: readonly Values[], goal: Request['goal']): number | null {
  const last = earlier.length - 1;
  const found = earlier.flatMap((candidate, index) =>
    earlier.slice(index + 1).flatMap((baseline, offset) => {
      const isOfGoal = goal !== 'baseline' || index + 1 + offset === last;
      const common = isOfGoal ? commonValues(candidate, baseline) : [];
      return common.length < COMMON_CASES_MIN ? [] : (discordanceOf(common) ?? []);
    }),
  );
  return found.length === 0 ? null : Math.max(...found);
}

function commonValues(candidates: Values, baselines: Values) {
  return candidates.flatMap((candidate, at) => {
    const baseline = baselines[at] ?? null;
    return candidate === null || baseline === null ? [] : [{ candidate, baseline }];
  });
}
