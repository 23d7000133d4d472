import { routes } from '@agentclash/api';
import { Link } from 'wouter';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { attemptAddress } from '../full-attempt.js';
import { ComparedSides, failedChecks } from '../scorecard/failed-checks.js';
import { useScorecard } from '../scorecard/use-scorecard.js';
import { type FailureGroup, groupFailures } from './group-failures.js';
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
  { key: 'example', title: 'Example', cell: ({ example }) => <Example {...example} /> },
];

/** The most frequent reasons of the failures of a run, each with an example; nothing where nothing failed. */
export function FailureGroups({ runId }: { runId: string }) {
  const { data } = useRead(routes.runs.failures, { params: { run_id: runId }, query: { limit: READ } });
  if (data === undefined || data.items.length === 0) return null;
  const groups = groupFailures(data.items);
  const isPart = data.next_cursor !== null;
  return (
    <Panel title="Top failures" actions={<Link to={`/runs/${runId}/failures`}>All failures</Link>} isFlush>
      <Table label="Top failures" columns={COLUMNS} rows={groups.slice(0, SHOWN)} keyOf={({ key }) => key} />
      {isPart && <p className={css.note}>Grouped from the {READ} most frequent failures.</p>}
    </Panel>
  );
}

/** One attempt with what its first failed check expected and got. */
function Example({ attempt_id, case_key }: FailureGroup['example']) {
  const { card } = useScorecard(attempt_id);
  const compared = card === null ? undefined : failedChecks(card).find((check) => check.compared)?.compared;
  return (
    <>
      <Link to={attemptAddress(attempt_id, {})}>{case_key}</Link>
      {compared && <ComparedSides line={compared} />}
    </>
  );
}
