import { type Run, type RunShare, routes, runTitle } from '@agentclash/api';
import { useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Button } from '../design/button.js';
import { CodeBlock } from '../design/code-block.js';
import { Dialog } from '../design/dialog.js';
import { SelectField } from '../design/field.js';
import { formatTime, NOTHING } from '../design/format.js';
import { Failure } from '../design/states.js';
import { type Column, Table } from '../design/table.js';
import { Ago } from '../design/time.js';
import { useMay } from '../session/session.js';

const DAY_MS = 86_400_000;
const DAYS = [1, 7, 30, 90];
const DAYS_DEFAULT = 7;

const COLUMNS: readonly Column<RunShare>[] = [
  {
    key: 'created',
    title: 'Created',
    cell: ({ created_at, created_by }) => (
      <>
        <Ago at={created_at} /> by {created_by}
      </>
    ),
  },
  { key: 'expires', title: 'Expires', cell: ({ expires_at }) => formatTime(expires_at) },
  {
    key: 'used',
    title: 'Last opened',
    isMinor: true,
    cell: ({ last_used_at }) => (last_used_at === null ? NOTHING : <Ago at={last_used_at} />),
  },
];

/** Read-only links to a run: created, listed and revoked. */
export function ShareRun({ run }: { run: Run }) {
  const mayShare = useMay('member');
  const [isOpen, setOpen] = useState(false);
  if (!mayShare) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Share</Button>
      <Dialog title={`Share ${runTitle(run)}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Shares runId={run.id} />
        <Button onClick={() => setOpen(false)}>Done</Button>
      </Dialog>
    </>
  );
}

function Shares({ runId: run_id }: { runId: string }) {
  const params = { run_id };
  const [days, setDays] = useState(DAYS_DEFAULT);
  const touches = [routes.shares.list];
  const shares = useRead(routes.shares.list, { params });
  const create = useChange(routes.shares.create, { touches });
  const revoke = useChange(routes.shares.revoke, { touches, onSuccess: () => create.reset() });
  const submit = () => {
    const expires_at = new Date(Date.now() + days * DAY_MS).toISOString();
    create.mutate({ params, body: { expires_at }, idempotencyKey: newIdempotencyKey() });
  };
  const actions: Column<RunShare> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: ({ id, expires_at }) => (
      <Button
        kind="quiet"
        onClick={() => revoke.mutate({ params: { ...params, share_id: id } })}
        aria-label={`Revoke the link that expires ${formatTime(expires_at)}`}
      >
        Revoke
      </Button>
    ),
  };
  const items = shares.data?.items ?? [];
  const error = create.error ?? revoke.error ?? shares.error;
  return (
    <>
      <p>
        Everyone who has a link sees the results, transcripts and exports of this run, read-only and without a
        sign-in, and nothing else of the workspace.
      </p>
      <SelectField label="Valid for" value={days} onChange={({ target }) => setDays(Number(target.value))}>
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {count === 1 ? '1 day' : `${count} days`}
          </option>
        ))}
      </SelectField>
      <Button kind="primary" onClick={submit} isBusy={create.isPending}>
        Create link
      </Button>
      {create.data && (
        <div role="status">
          <p>Copy the link now: it is not shown again.</p>
          <CodeBlock text={location.origin + create.data.path} label="the link" />
        </div>
      )}
      {error && <Failure error={error} />}
      {items.length > 0 && (
        <Table label="Links" columns={[...COLUMNS, actions]} rows={items} keyOf={({ id }) => id} />
      )}
    </>
  );
}
