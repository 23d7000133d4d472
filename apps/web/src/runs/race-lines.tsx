import {
  isWholeRace,
  laneSpending,
  type Run,
  raceLine,
  racePromises,
  raceStateOf,
  routes,
} from '@agentclash/api';
import { hasRunEnded, type RaceGoal } from '@agentclash/domain';
import { useRead } from '../data/use-read.js';
import { formatCount } from '../design/format.js';
import css from './run-frame.module.css';

const REFRESH_MS = 5_000;

/** How far a race that may stop early is, its conditions and its promises; nothing for other runs. */
export function RaceLines({ run }: { run: Run }) {
  const { stop_when, race, status } = run;
  const { data: agents } = useRead(
    routes.runs.agents,
    { params: { run_id: run.id } },
    { enabled: stop_when !== undefined, refetchInterval: hasRunEnded(status) ? false : REFRESH_MS },
  );
  if (stop_when === undefined) return null;
  const state = agents && raceStateOf(run, agents.items.map(laneSpending));
  return (
    <div className={css.warning}>
      <p role="status" className={css.race}>
        {state && raceLine(state)}
      </p>
      <p>{stopConditions(stop_when)}</p>
      {race !== undefined &&
        racePromises(race, isWholeRace(run)).map((promise) => <p key={promise}>{promise}</p>)}
    </div>
  );
}

const GOALS: Readonly<Record<RaceGoal, string>> = {
  ranking: 'every pair of agents is decided',
  best: 'the best agent is known',
  baseline: 'each agent is decided against the baseline',
};

/** Such as `Ends when every pair of agents is decided by pass (alpha 0.05, margin 0), or after 500 attempts.` */
function stopConditions({ decided, budget }: NonNullable<Run['stop_when']>): string {
  const conditions = [
    ...(decided
      ? [
          `when ${GOALS[decided.goal]} by ${decided.metric} (alpha ${decided.alpha}, margin ${decided.margin})`,
        ]
      : []),
    ...(budget ? [`after ${formatCount(budget.attempts)} attempts`] : []),
  ];
  return `Ends ${conditions.join(', or ')}.`;
}
