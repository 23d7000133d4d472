import { type ReviewQueue, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { formatCount } from '../design/format.js';
import { PagedTable } from '../design/paged-table.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { RunLink } from '../runs/run-name.js';
import { useMay } from '../session/session.js';

/** Review queues of one run or of all, newest first. */
export function Queues({ runId }: { runId?: string }) {
  const queues = usePages(routes.reviews.list, { query: runId === undefined ? {} : { run_id: runId } });
  const mayReview = useMay('member');
  const columns: readonly Column<ReviewQueue>[] = [
    {
      key: 'queue',
      title: 'Queue',
      cell: (queue) => (
        <Link to={`/reviews/${queue.id}${mayReview ? '' : '/agreement'}`}>{queueTitle(queue)}</Link>
      ),
    },
    ...(runId === undefined
      ? [
          {
            key: 'run',
            title: 'Run',
            cell: ({ run_id }: ReviewQueue) => <RunLink id={run_id} view="/review" />,
          },
        ]
      : []),
    { key: 'items', title: 'Items', cell: ({ items }) => formatCount(items), isFigure: true },
    { key: 'raters', title: 'Reviewed', cell: progressOf },
    { key: 'created', title: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, isMinor: true },
    {
      key: 'agreement',
      title: <span className="visually-hidden">Results</span>,
      cell: (queue) => (
        <Link to={`/reviews/${queue.id}/agreement`}>
          Agreement<span className="visually-hidden"> of {queueTitle(queue)}</span>
        </Link>
      ),
      isAction: true,
    },
  ];
  return (
    <PagedTable
      what="review queues"
      columns={columns}
      keyOf={({ id }) => id}
      of={queues}
      isStacked
      empty={{
        title: 'No review queues yet',
        children: <p>Create one in the tab Review of a run that has ended.</p>,
      }}
    />
  );
}

export function queueTitle({ name, kind, id }: Pick<ReviewQueue, 'name' | 'kind' | 'id'>): string {
  return name ?? `${kind === 'pairwise' ? 'Pairs' : 'Single outputs'} ${id.slice(-4)}`;
}

function progressOf({ raters, items }: ReviewQueue): string {
  return raters.map(({ rater, reviewed }) => `${rater} ${reviewed}/${items}`).join(', ') || 'Nothing yet';
}
