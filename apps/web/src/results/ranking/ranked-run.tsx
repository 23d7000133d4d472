import { type Run, type RunAgent, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import type { ReactNode } from 'react';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Empty, Loading } from '../../design/states.js';
import { rankedLane } from '../estimates.js';
import { type GroupedLane, groupedLanes } from './lane-groups.js';

const REFRESH_MS = 2_000;

interface Ranked {
  lanes: readonly GroupedLane[];
  agents: readonly RunAgent[];
  revision: number | null;
}

/** The ranked lanes of a run, or the reason why there is no ranking. */
export function RankedRun({ run, children }: { run: Run; children: (ranked: Ranked) => ReactNode }) {
  const params = { run_id: run.id };
  const agents = useRead(routes.runs.agents, { params });
  const ranking = useRead(
    routes.runs.ranking,
    { params },
    {
      refetchInterval: (data) =>
        data?.state === 'pending' && run.status !== 'cancelled' ? REFRESH_MS : false,
    },
  );
  return (
    <Loaded of={ranking} what="the ranking">
      {({ state, items, revision, variants = [] }) => {
        if (state === 'pending') return <Pending run={run} />;
        if (state === 'failed') return <Empty title="Ranking failed: re-score the run" />;
        // The agents bring colours, columns and groups: with a ranking before them, rows would move under the pointer.
        if (agents.isLoading) return <Loading what="the agents" />;
        const known = agents.data?.items ?? [];
        const lanes = groupedLanes(
          items.map((entry) => rankedLane(entry, run)),
          { agents: known, comparisons: variants },
        );
        return children({ lanes, agents: known, revision });
      }}
    </Loaded>
  );
}

function Pending({ run }: { run: Run }) {
  if (hasRunEnded(run.status)) {
    return (
      <Empty title={run.failure?.message ?? `No ranking: the run was ${run.status}`}>
        {run.failure && <p>No ranking</p>}
      </Empty>
    );
  }
  return (
    <Empty title="No ranking yet">
      <p>It is computed after the last attempt has been scored.</p>
    </Empty>
  );
}
