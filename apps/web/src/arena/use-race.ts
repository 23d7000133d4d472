import { type RaceSnapshot, type Run, type RunAgent, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useSession } from '../session/session.js';
import { RaceFeed, type RaceView } from './race-feed.js';

export type Connection = 'connecting' | 'history' | 'live' | 'lost' | 'ended';

interface Following {
  view: RaceView;
  connection: Connection;
  error: unknown;
}

/** Routes whose responses change when a race ends. */
const TOUCHED = [routes.runs.get, routes.runs.agents, routes.runs.ranking, routes.runs.attempts];

/**
 * Follows a race while it is shown: first its history, or the events after a snapshot, then live events. It reconnects
 * automatically without losing or repeating an event.
 */
export function useRace(
  run: Pick<Run, 'id' | 'status' | 'finished_at'>,
  agents: readonly RunAgent[],
  snapshot?: RaceSnapshot,
): Following {
  const { client } = useSession();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const [error, setError] = useState<unknown>();
  // Only other lanes make another race: the figures come from the events.
  const lanes = agents.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the ids of the lanes matter.
  const feed = useMemo(() => new RaceFeed(agents, snapshot), [run.id, lanes]);
  const view = useSyncExternalStore(feed.subscribe, feed.current);

  const lap = useLap(hasRunEnded(run.status) ? run.finished_at : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new lap opens a new stream.
  useEffect(() => {
    const abort = new AbortController();
    // Nothing of a run that has ended is live: its history is read once.
    const followed = hasRunEnded(run.status) ? 'history' : 'live';
    const follow = async () => {
      const events = client.events(run.id, {
        after: feed.position,
        signal: abort.signal,
        reconnectTimeoutMs: Number.POSITIVE_INFINITY,
        onLost: () => setConnection('lost'),
        onBack: () => setConnection(followed),
        onDelta: (delta) => feed.stream(delta),
      });
      for await (const event of events) {
        feed.take(event);
        setConnection(followed);
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

  // The events report a new status before the next refresh of the run.
  const { status } = view;
  useEffect(() => {
    if (connection !== 'live' || status === null || status === run.status) return;
    void queries.invalidateQueries({ queryKey: [routes.runs.get.path] });
  }, [connection, queries, status, run.status]);

  return { view, connection, error };
}

/**
 * How often a run has restarted after its end, because attempts were retried. A retry may be over before the run is
 * read again: then its end has another time.
 */
function useLap(endedAt: string | null): number {
  const [lap, setLap] = useState(0);
  const before = useRef(endedAt);
  useEffect(() => {
    if (before.current !== null && before.current !== endedAt) setLap((last) => last + 1);
    before.current = endedAt;
  }, [endedAt]);
  return lap;
}
