import { type Failure, type Run, routes } from '@agentclash/api';
import { hasRunEnded, type RunStatus } from '@agentclash/domain';
import { Link } from 'wouter';
import { usePages } from '../../data/use-pages.js';
import { Badge } from '../../design/badge.js';
import { formatCount } from '../../design/format.js';
import { PagedTable } from '../../design/paged-table.js';
import type { Column } from '../../design/table.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { RunFrame } from '../../runs/run-frame.js';

const COLUMNS: readonly Column<Failure>[] = [
  {
    key: 'case',
    title: 'Case',
    cell: ({ case_key, attempt_id }) => <Link to={`/attempts/${attempt_id}`}>{case_key}</Link>,
  },
  { key: 'agent', title: 'Agent', cell: ({ agent_name }) => agent_name },
  {
    key: 'why',
    title: 'Why',
    cell: ({ class: kind, failing_keys }) => (
      <>
        {kind.replaceAll('_', ' ')}
        {failing_keys.length > 0 && (
          <>
            : <code>{failing_keys.join(', ')}</code>
          </>
        )}
      </>
    ),
  },
  { key: 'code', title: 'Code', isMinor: true, cell: ({ code }) => <code>{code}</code> },
  {
    key: 'cause',
    title: 'Cause',
    isMinor: true,
    cell: ({ agent_fault }) => (agent_fault ? 'agent' : <Badge tone="warn">platform</Badge>),
  },
  { key: 'severity', title: 'Severity', isMinor: true, cell: ({ severity }) => severity },
  { key: 'attempts', title: 'Attempts', isFigure: true, cell: ({ attempts }) => formatCount(attempts) },
  { key: 'runs', title: 'Runs', isFigure: true, isMinor: true, cell: ({ runs }) => formatCount(runs) },
];

/** The failures of a run, grouped by their cause. */
export default function FailuresScreen({ params: { runId } }: ScreenProps<'runId'>) {
  return (
    <RunFrame runId={runId} tab="failures">
      {(run) => <Failures run={run} />}
    </RunFrame>
  );
}

const NOTHING: Partial<Record<RunStatus, string>> = {
  completed: 'No failures',
  cancelled: 'The run was cancelled before its failures were classified',
  failed: 'No attempt could be graded: there are no failures to classify',
};

function Failures({ run }: { run: Run }) {
  const failures = usePages(routes.runs.failures, { params: { run_id: run.id } });
  const again = new URLSearchParams({ version: run.challenge_pack_version_id, only_failed: run.id });
  return (
    <>
      {hasRunEnded(run.status) && failures.items.length > 0 && (
        <p>
          <Link to={`/runs/new?${again}`}>Rerun failed cases</Link>
        </p>
      )}
      <PagedTable
        what="failures"
        columns={COLUMNS}
        keyOf={({ cluster_key, run_agent_id, case_key }) => `${cluster_key} ${run_agent_id} ${case_key}`}
        of={failures}
        empty={{ title: NOTHING[run.status] ?? 'Failures are classified after the run has been ranked' }}
      />
    </>
  );
}
