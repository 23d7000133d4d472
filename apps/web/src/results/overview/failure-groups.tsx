import { routes } from '@agentclash/api';
import { Link } from 'wouter';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { FailureExample } from '../failures/failure-example.js';
import { type FailureGroup, groupFailures } from '../failures/group-failures.js';
import css from './overview.module.css';

const SHOWN = 5;
/** The largest page; failures come with the most frequent first. */
const READ = 200;

const COLUMNS: readonly Column<FailureGroup>[] = [
  { key: 'agent', title: 'Agent', cell: ({ agentName }) => agentName },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ reason, isOfAgent }) => (
      <>
        {reason} {!isOfAgent && <Badge tone="warn">platform</Badge>}
      </>
    ),
  },
  { key: 'attempts', title: 'Attempts', isFigure: true, cell: ({ attempts }) => formatCount(attempts) },
  { key: 'cases', title: 'Cases', isFigure: true, cell: ({ cases }) => formatCount(cases) },
  { key: 'example', title: 'Example', cell: ({ example }) => <FailureExample {...example} /> },
];

/** The most frequent reasons of the failures of a run, each with an example; nothing where nothing failed. */
export function FailureGroups({ runId }: { runId: string }) {
  const { data } = useRead(routes.runs.failures, { params: { run_id: runId }, query: { limit: READ } });
  if (data === undefined || data.items.length === 0) return null;
  const groups = groupFailures(data.items);
  const isPart = data.next_cursor !== null;
  return (
    <Panel title="Top failures" actions={<Link to={`/runs/${runId}/failures`}>All failures</Link>} isFlush>
      <Table
        label="Top failures"
        columns={COLUMNS}
        rows={groups.slice(0, SHOWN)}
        keyOf={({ key }) => key}
        isStacked
      />
      {isPart && <p className={css.note}>Grouped from the {READ} most frequent failures.</p>}
    </Panel>
  );
}
