import { routes, type Webhook } from '@agentclash/api';
import { useState } from 'react';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import type { Column } from '../design/table.js';
import css from '../secrets/secrets.module.css';
import { Only } from '../session/only.js';
import { Deliveries } from './deliveries.js';
import { specOf } from './webhook-draft.js';
import { WebhookForm } from './webhook-form.js';

/** The webhooks of the workspace, and what was sent. */
export default function WebhooksScreen() {
  return (
    <Page title="Webhooks" lead="Events of runs, sent to an address and signed.">
      <Only needs="admin" to="see and change webhooks">
        <Webhooks />
      </Only>
    </Page>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'state', title: 'State', cell: (webhook) => <State of={webhook} /> },
  { key: 'events', title: 'Events', cell: ({ events }) => events.join(', ') },
  { key: 'runs', title: 'Runs', isMinor: true, cell: runsOf },
  { key: 'url', title: 'Address', isMinor: true, cell: ({ url }) => <code>{url}</code> },
];

function State({ of: { enabled, disabled_reason: reason } }: { of: Webhook }) {
  if (enabled) return <Badge tone="good">enabled</Badge>;
  if (reason === null) return <Badge>disabled</Badge>;
  return (
    <>
      <Badge tone="bad">disabled</Badge> <small>{reason}</small>
    </>
  );
}

function runsOf({ pack, labels = {} }: Webhook): string {
  const named = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const parts = [...(pack === undefined ? [] : [pack]), ...named];
  return parts.length === 0 ? 'all' : parts.join(', ');
}

function Webhooks() {
  const webhooks = usePages(routes.webhooks.list, {});
  const [shown, setShown] = useState<string>();
  const [pendingRemoval, setPendingRemoval] = useState<Webhook | null>(null);
  const touches = [routes.webhooks.list, routes.webhooks.deliveries];
  const update = useChange(routes.webhooks.update, {
    touches,
    done: ({ name, enabled }) => `${name} ${enabled ? 'enabled' : 'disabled'}`,
  });
  const test = useChange(routes.webhooks.test, {
    touches: [routes.webhooks.deliveries],
    done: 'Test delivery queued',
  });
  const remove = useChange(routes.webhooks.remove, {
    touches,
    done: 'Webhook deleted',
    onSuccess: () => setPendingRemoval(null),
  });
  const actions: Column<Webhook> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: (webhook) => {
      const { id: webhook_id, name, enabled } = webhook;
      const params = { webhook_id };
      const toggle = () => update.mutate({ params, body: { ...specOf(webhook), enabled: !enabled } });
      const tryOut = () => {
        setShown(webhook_id);
        test.mutate({ params });
      };
      return (
        <div className={css.actions}>
          <Button kind="quiet" onClick={() => setShown(webhook_id)} aria-label={`Deliveries of ${name}`}>
            Deliveries
          </Button>
          <Button kind="quiet" onClick={tryOut} aria-label={`Test ${name}`}>
            Test
          </Button>
          <Button kind="quiet" onClick={toggle} aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}>
            {enabled ? 'Disable' : 'Enable'}
          </Button>
          <Button kind="quiet" onClick={() => setPendingRemoval(webhook)} aria-label={`Delete ${name}`}>
            Delete
          </Button>
        </div>
      );
    },
  };
  const ofShown = webhooks.items.find(({ id }) => id === shown);
  const error = update.error ?? test.error;
  return (
    <>
      <Panel title="Create webhook">
        <WebhookForm />
      </Panel>
      {error && <Failure error={error} />}
      <PagedTable
        what="webhooks"
        columns={[...COLUMNS, actions]}
        keyOf={({ id }) => id}
        of={webhooks}
        empty={{ title: 'No webhooks yet' }}
      />
      {ofShown && <Deliveries webhook={ofShown} />}
      <Confirm
        title={`Delete ${pendingRemoval?.name ?? ''}?`}
        isOpen={pendingRemoval !== null}
        onClose={() => setPendingRemoval(null)}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() =>
          pendingRemoval !== null && remove.mutate({ params: { webhook_id: pendingRemoval.id } })
        }
      >
        <p>Its signing secret and the log of its deliveries are deleted with it.</p>
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </>
  );
}
