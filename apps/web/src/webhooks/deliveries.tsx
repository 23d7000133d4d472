import { routes, type Webhook, type WebhookDelivery } from '@agentclash/api';
import { Link } from 'wouter';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { NOTHING } from '../design/format.js';
import { PagedTable } from '../design/paged-table.js';
import { Failure } from '../design/states.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';

const TONES = { pending: 'neutral', delivered: 'good', failed: 'bad' } as const;
/** While something is under way. */
const REFRESH_MS = 2_000;

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { key: 'at', title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
  { key: 'event', title: 'Event', cell: ({ event }) => <code>{event}</code> },
  {
    key: 'run',
    title: 'Run',
    isMinor: true,
    cell: ({ run_id }) =>
      run_id === null ? NOTHING : <Link to={`/runs/${run_id}`}>{run_id.slice(-8)}</Link>,
  },
  { key: 'status', title: 'Status', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
  { key: 'attempts', title: 'Attempts', isFigure: true, isMinor: true, cell: ({ attempts }) => attempts },
  {
    key: 'next',
    title: 'Next attempt',
    isMinor: true,
    cell: ({ next_attempt_at: at }) => (at === null ? NOTHING : <Ago at={at} />),
  },
  {
    key: 'why',
    title: 'Response',
    cell: ({ error, response_status }) =>
      error ?? (response_status === null ? NOTHING : `HTTP ${response_status}`),
  },
];

/** The log of what was sent for one webhook. */
export function Deliveries({ webhook: { id: webhook_id, name } }: { webhook: Webhook }) {
  const deliveries = usePages(
    routes.webhooks.deliveries,
    { params: { webhook_id } },
    {
      refetchInterval: (data) => {
        const pages = (data?.pages ?? []) as readonly { items: readonly WebhookDelivery[] }[];
        return pages.some(({ items }) => items.some(({ status }) => status === 'pending')) && REFRESH_MS;
      },
    },
  );
  const resend = useChange(routes.webhooks.resend, {
    touches: [routes.webhooks.deliveries],
    done: 'Delivery queued again',
  });
  const actions: Column<WebhookDelivery> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: ({ id, event }) => (
      <Button
        kind="quiet"
        onClick={() => resend.mutate({ params: { webhook_id, delivery_id: id } })}
        aria-label={`Resend ${event} ${id.slice(-8)}`}
      >
        Resend
      </Button>
    ),
  };
  return (
    <section aria-label={`Deliveries of ${name}`}>
      <h2>Deliveries of {name}</h2>
      {resend.error && <Failure error={resend.error} />}
      <PagedTable
        what="deliveries"
        columns={[...COLUMNS, actions]}
        keyOf={({ id }) => id}
        of={deliveries}
        empty={{ title: 'Nothing was sent in the last 30 days' }}
      />
    </section>
  );
}
