import { type Run, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Empty } from '../../design/states.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { AuditBadge } from '../../packs/version/audit-badge.js';
import { RunFrame } from '../../runs/run-frame.js';
import { rankedLane } from '../estimates.js';
import { RacePanel } from '../race/race-panel.js';
import { RunDivergences } from '../replay/divergence.js';
import { CostQuality } from './cost-quality.js';
import { groupedLanes } from './lane-groups.js';
import { Dimensions, RankingTable } from './ranking-table.js';

const REFRESH_MS = 2_000;

/** The ranking with its intervals. */
export default function RankingScreen({ params: { runId } }: ScreenProps<'runId'>) {
  return (
    <RunFrame runId={runId} tab="ranking">
      {(run) => <Ranking run={run} />}
    </RunFrame>
  );
}

function Ranking({ run }: { run: Run }) {
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
        const lanes = groupedLanes(
          items.map((entry) => rankedLane(entry, run)),
          { agents: agents.data?.items ?? [], comparisons: variants },
        );
        return (
          <>
            {revision !== null && revision > 1 && <p>Re-scored: revision {revision}</p>}
            <AuditLine run={run} />
            <RankingTable runId={run.id} lanes={lanes} />
            <RacePanel run={run} agents={agents.data?.items ?? []} />
            <RunDivergences run={run} />
            <Dimensions runId={run.id} lanes={lanes} />
            <CostQuality lanes={lanes} />
          </>
        );
      }}
    </Loaded>
  );
}

/** The audit of the version that a ranking is of; nothing until it is known. */
function AuditLine({ run }: { run: Run }) {
  const params = { version_id: run.challenge_pack_version_id };
  const version = useRead(routes.versions.get, { params });
  if (version.data === undefined) return null;
  return (
    <p>
      <Link to={`/versions/${version.data.id}`}>
        {run.pack.slug} v{run.pack.version_number}
      </Link>{' '}
      <AuditBadge certificate={version.data.audit} />
    </p>
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
