import { type ResponseOutput, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { NOTHING } from '../design/format.js';
import { PagedTable } from '../design/paged-table.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';

type Entry = ResponseOutput<typeof routes.secrets.audit>['items'][number];

const COLUMNS: readonly Column<Entry>[] = [
  { key: 'at', title: 'When', cell: ({ at }) => <Ago at={at} /> },
  { key: 'key', title: 'Key', cell: ({ key }) => <code>{key}</code> },
  { key: 'action', title: 'Action', cell: ({ action }) => action },
  { key: 'actor', title: 'Actor', cell: ({ actor }) => actor },
  {
    key: 'attempt',
    title: 'Attempt',
    cell: ({ attempt_id }) =>
      attempt_id ? <Link to={`/attempts/${attempt_id}`}>{attempt_id.slice(-8)}</Link> : NOTHING,
  },
];

/** The audit log of secrets. */
export function SecretAudit() {
  const entries = usePages(routes.secrets.audit, {});
  return (
    <>
      <h2>History</h2>
      <PagedTable
        what="entries"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        of={entries}
        empty={{ title: 'No entries yet' }}
      />
    </>
  );
}
