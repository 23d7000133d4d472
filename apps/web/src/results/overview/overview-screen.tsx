import type { Run } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { Redirect } from 'wouter';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { RunFrame } from '../../runs/run-frame.js';
import type { GroupedLane } from '../ranking/lane-groups.js';
import { ParetoPanel } from '../ranking/pareto-panel.js';
import { RankedRun } from '../ranking/ranked-run.js';
import { RankingTable } from '../ranking/ranking-table.js';
import { FailureGroups } from './failure-groups.js';
import { Winner } from './winner.js';

/** The result of a run that has ended; of others the arena. */
export default function OverviewScreen({ params: { runId } }: ScreenProps<'runId'>) {
  return (
    <RunFrame runId={runId} tab="overview">
      {(run) =>
        hasRunEnded(run.status) ? <Overview run={run} /> : <Redirect to={`/runs/${runId}/arena`} replace />
      }
    </RunFrame>
  );
}

function Overview({ run }: { run: Run }) {
  return (
    <>
      <RankedRun run={run}>{({ lanes }) => <Result run={run} lanes={lanes} />}</RankedRun>
      <FailureGroups runId={run.id} />
    </>
  );
}

interface ResultProps {
  run: Run;
  lanes: readonly GroupedLane[];
}

function Result({ run, lanes }: ResultProps) {
  return (
    <>
      <Winner runId={run.id} lanes={lanes} />
      <RankingTable runId={run.id} lanes={lanes} />
      <ParetoPanel runId={run.id} lanes={lanes} />
    </>
  );
}
