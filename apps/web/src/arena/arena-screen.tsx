import {
  eliminationInWords,
  eliminationsOf,
  haltInWords,
  type RaceSnapshot,
  type ResponseOutput,
  type Run,
  type RunAgent,
  routes,
} from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { useEffect, useState } from 'react';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { Failure } from '../design/states.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { Matrix } from '../results/matrix/matrix.js';
import { PairMeters } from '../results/race/pair-meters.js';
import { RunFrame } from '../runs/run-frame.js';
import css from './arena.module.css';
import { type Departure, FinishedLane, LaneCard } from './lane-card.js';
import { LatestResults } from './latest-results.js';
import { ProvisionalRanking } from './provisional-ranking.js';
import type { LaneView } from './race-feed.js';
import { byPassRate } from './standings.js';
import { type Connection, useRace } from './use-race.js';

/** A run with live updates. */
export default function ArenaScreen({ params: { runId } }: ScreenProps<'runId'>) {
  const agents = useRead(routes.runs.agents, { params: { run_id: runId } });
  return (
    <RunFrame runId={runId} tab="arena">
      {(run) => (
        <Loaded of={agents} what="the lanes">
          {(lanes) => <Arena key={run.id} run={run} lanes={lanes} />}
        </Loaded>
      )}
    </RunFrame>
  );
}

/** A longer history, in events, is not replayed. */
const PLAYED_EVENTS_MAX = 5_000;

interface ArenaProps {
  run: Run;
  lanes: ResponseOutput<typeof routes.runs.agents>;
}

/** A race with live updates. A long race that has ended shows its figures and the matrix, not its history. */
function Arena({ run, lanes }: ArenaProps) {
  const { items, position = 0 } = lanes;
  const isLong = position > PLAYED_EVENTS_MAX;
  // A race that was followed live stays so after its end: its last lines remain visible.
  const [isSettled, setSettled] = useState(isLong && hasRunEnded(run.status));
  const here = isLong ? { position, startedAt: run.started_at } : undefined;
  const [snapshot, setSnapshot] = useState<RaceSnapshot | undefined>(here);
  if (isSettled && !hasRunEnded(run.status)) {
    setSettled(false);
    setSnapshot(here);
  }
  if (isSettled) return <SettledArena run={run} agents={items} />;
  return <LiveArena run={run} agents={items} snapshot={snapshot} />;
}

interface LanesProps {
  run: Run;
  agents: readonly RunAgent[];
}

function SettledArena({ run, agents }: LanesProps) {
  const left = lanesThatLeft(run, agents);
  return (
    <>
      <PairMeters run={run} agents={agents} />
      <ul className={css.lanes} aria-label="Lanes">
        {agents.map((agent, index) => (
          <FinishedLane key={agent.id} agent={agent} index={index} left={left(agent.id)} />
        ))}
      </ul>
      <Matrix run={run} agents={agents} />
    </>
  );
}

const CONNECTION_TEXTS: Record<Connection, string> = {
  connecting: 'Connecting …',
  history: 'Reading the history …',
  live: 'Live',
  lost: 'Connection lost; reconnecting. No event will be missed.',
  ended: 'The race has ended.',
};

function LiveArena({ run, agents, snapshot }: LanesProps & { snapshot: RaceSnapshot | undefined }) {
  const { view, connection, error } = useRace(run, agents, snapshot);
  const clock = useNow(connection !== 'ended');
  // The times of a run that has ended are of its end, also while its history is read.
  const now = run.finished_at === null ? clock : Math.min(clock, Date.parse(run.finished_at));
  const left = lanesThatLeft(run, agents);
  const isPaused = run.status === 'paused';
  const isIdle = isPaused && connection === 'live';
  return (
    <>
      {error === undefined ? (
        <p className={css.connection} role="status" data-connection={isIdle ? 'paused' : connection}>
          {isIdle ? 'Paused: no attempt starts until the run is resumed.' : CONNECTION_TEXTS[connection]}
        </p>
      ) : (
        <Failure error={error} />
      )}
      <PairMeters run={run} agents={agents} />
      {connection !== 'ended' && <ProvisionalRanking runId={run.id} lanes={view.lanes} />}
      <ul className={css.lanes} aria-label="Lanes">
        {byPassRate(view.lanes).map((lane) => (
          <LaneCard key={lane.id} {...{ runId: run.id, lane, left: left(lane.id, lane), now, isPaused }} />
        ))}
      </ul>
      <LatestResults results={view.results} isFromSnapshot={snapshot !== undefined} />
    </>
  );
}

/** The departures of lanes: by their events, and where these came before a snapshot, by the verdicts of the run. */
function lanesThatLeft({ race }: Run, agents: readonly RunAgent[]) {
  const eliminations = race === undefined ? undefined : eliminationsOf(race, agents);
  return (id: string, live?: Pick<LaneView, 'halt' | 'skipped'>): Departure | undefined => {
    if (live?.halt) {
      const { reason, afterCases, byName: by } = live.halt;
      return { isBeaten: by !== null, text: haltInWords({ reason, afterCases, by, skipped: live.skipped }) };
    }
    const elimination = eliminations?.get(id);
    return elimination && { isBeaten: elimination.by !== null, text: eliminationInWords(elimination) };
  };
}

const TICK_MS = 1_000;

/** The current time, updated once a second while `isTicking`. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
