import type { Run, RunAgent } from '@agentclash/api';
import { useEffect, useState } from 'react';
import { Failure } from '../design/failure.js';
import { isOver } from '../runs/run-status.js';
import css from './arena.module.css';
import { Landings } from './landings.js';
import { LaneCard } from './lane-card.js';
import { SettledLane } from './settled-lane.js';
import { type Connection, useRace } from './use-race.js';

/** Of a run that is over and larger than this the figures are shown, and its history is not played again. */
const REPLAYED_ATTEMPTS_MAX = 500;

interface ArenaProps {
  run: Run;
  agents: readonly RunAgent[];
}

export function Arena({ run, agents }: ArenaProps) {
  // What was live stays so when it ends: the last lines are still of interest.
  const [isLive] = useState(!isOver(run.status) || run.progress.total <= REPLAYED_ATTEMPTS_MAX);
  return isLive ? <LiveArena run={run} agents={agents} /> : <SettledArena agents={agents} />;
}

function SettledArena({ agents }: Pick<ArenaProps, 'agents'>) {
  return (
    <ul className={css.lanes} aria-label="Lanes">
      {agents.map((agent, index) => (
        <SettledLane key={agent.id} agent={agent} index={index} />
      ))}
    </ul>
  );
}

const SAYS: Record<Connection, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Lost the server; trying again. Nothing of the race will be missed.',
  ended: 'The race is over.',
};

function LiveArena({ run, agents }: ArenaProps) {
  const { view, connection, error } = useRace(run, agents);
  const now = useNow(connection !== 'ended');
  return (
    <>
      <p className={css.connection} role="status" data-connection={connection}>
        {SAYS[connection]}
      </p>
      {error !== undefined && <Failure error={error} />}
      <ul className={css.lanes} aria-label="Lanes">
        {view.lanes.map((lane) => (
          <LaneCard key={lane.id} runId={run.id} lane={lane} now={now} />
        ))}
      </ul>
      <Landings landings={view.landings} />
    </>
  );
}

const TICK_MS = 1_000;

/** The time, once a second while it matters. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
