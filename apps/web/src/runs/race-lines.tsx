import {
  isWholeRace,
  laneSpending,
  type Run,
  raceLine,
  racePromises,
  raceStateOf,
  routes,
  stopWhenInWords,
} from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { useRead } from '../data/use-read.js';
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
      <p>Ends {stopWhenInWords(stop_when)}.</p>
      {race !== undefined &&
        racePromises(race, isWholeRace(run)).map((promise) => <p key={promise}>{promise}</p>)}
    </div>
  );
}
