import { type ResponseOutput, routes, type SecretMetadata } from '@agentclash/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { useRead } from '../data/use-read.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { NOTHING } from '../design/format.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import { Empty, Failure } from '../design/states.js';
import { type Column, Table } from '../design/table.js';
import { Ago } from '../design/time.js';
import { Only } from '../session/only.js';
import { reachOf } from './secret-draft.js';
import { SecretForm } from './secret-form.js';
import css from './secrets.module.css';

/** The secrets of the workspace: set, replaced and deleted, never read. */
export default function SecretsScreen() {
  return (
    <Page title="Secrets" lead="Values are write-only: they reach neither agents nor sandboxes nor logs.">
      <Only needs="admin" to="see and set secrets">
        <Secrets />
        <SecretAudit />
      </Only>
    </Page>
  );
}

function Reach({ text, warning }: { text: string; warning?: string }) {
  if (warning === undefined) return text;
  return (
    <>
      {text} <Badge tone="warn">check</Badge> <small>{warning}</small>
    </>
  );
}

function Secrets() {
  const secrets = useRead(routes.secrets.list, {});
  const [replaced, setReplaced] = useState<{ key: string; press: number }>();
  const [pendingRemoval, setPendingRemoval] = useState<string | null>(null);
  const remove = useChange(routes.secrets.remove, {
    touches: [routes.secrets.list, routes.secrets.audit],
    done: 'Secret deleted',
    onSuccess: () => setPendingRemoval(null),
  });
  const columns: readonly Column<SecretMetadata>[] = [
    { key: 'key', title: 'Key', cell: ({ key }) => <code>{key}</code> },
    {
      key: 'hosts',
      title: 'Allowed hosts',
      cell: (secret) => <Reach {...reachOf(secret)} />,
    },
    { key: 'version', title: 'Version', isFigure: true, isMinor: true, cell: ({ version }) => version },
    {
      key: 'at',
      title: 'Set',
      isMinor: true,
      cell: ({ updated_at, updated_by }) => (
        <>
          <Ago at={updated_at} /> by {updated_by}
        </>
      ),
    },
    {
      key: 'used',
      title: 'Last used',
      isMinor: true,
      cell: ({ last_used_at }) => (last_used_at === null ? NOTHING : <Ago at={last_used_at} />),
    },
    {
      key: 'actions',
      title: <span className="visually-hidden">Actions</span>,
      isAction: true,
      cell: ({ key }) => (
        <div className={css.actions}>
          <Button
            kind="quiet"
            onClick={() => setReplaced((old) => ({ key, press: (old?.press ?? 0) + 1 }))}
            aria-label={`Replace ${key}`}
          >
            Replace
          </Button>
          <Button kind="quiet" onClick={() => setPendingRemoval(key)} aria-label={`Delete ${key}`}>
            Delete
          </Button>
        </div>
      ),
    },
  ];
  return (
    <>
      <Panel title="Set a secret">
        {/* Each press resets the form. */}
        <SecretForm key={replaced?.press} known={secrets.data?.items} replaced={replaced?.key} />
      </Panel>
      <Loaded of={secrets} what="the secrets">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No secrets yet" />
          ) : (
            <Panel isFlush>
              <Table label="Secrets" columns={columns} rows={items} keyOf={({ key }) => key} />
            </Panel>
          )
        }
      </Loaded>
      <Confirm
        title={`Delete ${pendingRemoval ?? ''}?`}
        isOpen={pendingRemoval !== null}
        onClose={() => setPendingRemoval(null)}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => pendingRemoval !== null && remove.mutate({ params: { key: pendingRemoval } })}
      >
        <p>Runs that need it fail from now on. Its value cannot be recovered.</p>
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </>
  );
}

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
function SecretAudit() {
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
