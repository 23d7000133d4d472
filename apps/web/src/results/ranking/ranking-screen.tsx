import { type Run, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { useRead } from '../../data/use-read.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { AuditBadge } from '../../packs/version/audit-badge.js';
import { RunFrame } from '../../runs/run-frame.js';
import { useIsShared } from '../../session/session.js';
import { RacePanel } from '../race/race-panel.js';
import { RunDivergences } from '../replay/divergence.js';
import { ParetoPanel } from './pareto-panel.js';
import { RankedRun } from './ranked-run.js';
import { Dimensions, RankingTable } from './ranking-table.js';

/** The ranking with its intervals. */
export default function RankingScreen({ params: { runId } }: ScreenProps<'runId'>) {
  return (
    <RunFrame runId={runId} tab="ranking">
      {(run) => <Ranking run={run} />}
    </RunFrame>
  );
}

function Ranking({ run }: { run: Run }) {
  return (
    <RankedRun run={run}>
      {({ lanes, agents, revision }) => (
        <>
          {revision !== null && revision > 1 && <p>Re-scored: revision {revision}</p>}
          <AuditLine run={run} />
          <RankingTable runId={run.id} lanes={lanes} />
          <RacePanel run={run} agents={agents} />
          <RunDivergences run={run} />
          <Dimensions runId={run.id} lanes={lanes} />
          <ParetoPanel runId={run.id} lanes={lanes} />
        </>
      )}
    </RankedRun>
  );
}

/** The audit of the version that a ranking is of; nothing until it is known. */
function AuditLine({ run }: { run: Run }) {
  const params = { version_id: run.challenge_pack_version_id };
  // A link to a run shows no pack.
  const isShared = useIsShared();
  const version = useRead(routes.versions.get, { params }, { enabled: !isShared });
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
