import { type RaceSnapshot, type Run, type RunAgent, routes } from '@agentclash/api';
import { isRunOver } from '@agentclash/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useSession } from '../session/session.js';
import { RaceFeed, type RaceView } from './race-feed.js';

export type Connection = 'connecting' | 'live' | 'lost' | 'ended';

interface Following {
  view: RaceView;
  connection: Connection;
  error: unknown;
}

/** Whatever these say may have changed when a race has ended. */
const TOUCHED = [routes.runs.get, routes.runs.agents, routes.runs.ranking, routes.runs.attempts];

/**
 * Follows a race for as long as it is shown: history first, or from a snapshot, then live; comes back by itself, repeats and
 * loses nothing.
 */
export function useRace(
  run: Pick<Run, 'id' | 'status'>,
  agents: readonly RunAgent[],
  snapshot?: RaceSnapshot,
): Following {
  const { client } = useSession();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const [error, setError] = useState<unknown>();
  // Only the lanes' identity makes another race: their figures come from the events.
  const lanes = agents.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said.
  const feed = useMemo(() => new RaceFeed(agents, snapshot), [run.id, lanes]);
  const view = useSyncExternalStore(feed.subscribe, feed.current);

  const lap = useLap(isRunOver(run.status));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further lap is followed like the first.
  useEffect(() => {
    const abort = new AbortController();
    const follow = async () => {
      const events = client.events(run.id, {
        after: feed.position,
        signal: abort.signal,
        reconnectTimeoutMs: Number.POSITIVE_INFINITY,
        onLost: () => setConnection('lost'),
        onBack: () => setConnection('live'),
        onDelta: (delta) => feed.stream(delta),
      });
      for await (const event of events) {
        feed.take(event);
        setConnection('live');
      }
      feed.close();
      setConnection('ended');
      await Promise.all(TOUCHED.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })));
    };
    follow().catch((failure: unknown) => {
      if (!abort.signal.aborted) setError(failure);
    });
    return () => {
      abort.abort();
      feed.close();
    };
  }, [client, feed, queries, run.id, lap]);

  // Its events know first that the run has moved on.
  const { status } = view;
  useEffect(() => {
    if (connection !== 'live' || status === null || status === run.status) return;
    void queries.invalidateQueries({ queryKey: [routes.runs.get.path] });
  }, [connection, queries, status, run.status]);

  return { view, connection, error };
}

/** How often a run that was over has begun again, because attempts were retried. */
function useLap(isRunOver: boolean): number {
  const [lap, setLap] = useState(0);
  const was = useRef(isRunOver);
  useEffect(() => {
    if (was.current && !isRunOver) setLap((before) => before + 1);
    was.current = isRunOver;
  }, [isRunOver]);
  return lap;
}
