import { routes, type Token } from '@agentclash/api';
import { ROLES, type Role } from '@agentclash/domain';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { unlessChanged } from '../data/unless-changed.js';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { CodeBlock } from '../design/code-block.js';
import { Confirm } from '../design/dialog.js';
import { SelectField, TextField } from '../design/field.js';
import { formatTime, NOTHING } from '../design/format.js';
import css from '../design/inline-form.module.css';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';

const COLUMNS: readonly Column<Token>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'role', title: 'Role', cell: ({ role }) => <Badge>{role}</Badge> },
  { key: 'by', title: 'Created by', isMinor: true, cell: ({ created_by }) => created_by },
  { key: 'at', title: 'Created', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
  { key: 'used', title: 'Last used', isMinor: true, cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
  {
    key: 'expires',
    title: 'Expires',
    cell: ({ expires_at }) => (expires_at === null ? NOTHING : formatTime(expires_at)),
  },
];

/** Creates, lists and revokes the tokens of a workspace; by default that of the session. */
export function Tokens({ workspace }: { workspace?: string }) {
  const params = { ...(workspace !== undefined && { ws: workspace }) };
  const tokens = usePages(routes.tokens.list, { params });
  const [pendingRemoval, setPendingRemoval] = useState<Token | null>(null);
  const revoke = useChange(routes.tokens.revoke, {
    touches: [routes.tokens.list],
    done: 'Token revoked',
    onSuccess: () => setPendingRemoval(null),
  });
  const actions: Column<Token> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: (token) => (
      <Button kind="quiet" onClick={() => setPendingRemoval(token)} aria-label={`Revoke ${token.name}`}>
        Revoke
      </Button>
    ),
  };
  return (
    <>
      <Panel title="Create token">
        <NewTokenForm params={params} />
      </Panel>
      <PagedTable
        what="tokens"
        columns={[...COLUMNS, actions]}
        keyOf={({ id }) => id}
        of={tokens}
        empty={{ title: 'No tokens' }}
      />
      <Confirm
        title={`Revoke ${pendingRemoval?.name ?? ''}?`}
        isOpen={pendingRemoval !== null}
        onClose={() => setPendingRemoval(null)}
        action="Revoke"
        isBusy={revoke.isPending}
        onConfirm={() =>
          pendingRemoval !== null && revoke.mutate({ params: { ...params, token_id: pendingRemoval.id } })
        }
      >
        <p>Requests with it are rejected immediately.</p>
        {revoke.error && <Failure error={revoke.error} />}
      </Confirm>
    </>
  );
}

const DAY_MS = 86_400_000;
const ROLE_WORDS: Record<Role, string> = {
  viewer: 'viewer: reads and validates',
  member: 'member: also publishes and runs',
  admin: 'admin: also manages secrets and tokens',
};

/** Creates a token and shows its value once. `params` may name another workspace than that of the session. */
function NewTokenForm({ params }: { params: { ws?: string } }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState('');
  const create = useChange(routes.tokens.create, {
    touches: [routes.tokens.list],
    done: ({ name: created }) => `Token ${created} created`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires =
      days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    create.mutate(
      { params, body: { name, role, ...expires }, idempotencyKey: newIdempotencyKey() },
      { onSuccess: () => setName(unlessChanged(name, '')) },
    );
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="ci"
        required
        maxLength={128}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={({ target }) => setRole(ROLES.find((known) => known === target.value) ?? 'viewer')}
      >
        {ROLES.map((known) => (
          <option key={known} value={known}>
            {ROLE_WORDS[known]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Expires after days (optional)"
        type="number"
        min={1}
        max={3650}
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      <Button type="submit" kind="primary" isBusy={create.isPending}>
        Create
      </Button>
      {create.data && (
        <div className={css.wide} role="status">
          <p>
            Created token <strong>{create.data.name}</strong>. Copy its value now: it is not shown again.
          </p>
          <CodeBlock text={create.data.token} label="the token" />
          <Button onClick={() => create.reset()}>Done</Button>
        </div>
      )}
      {create.error && (
        <div className={css.wide}>
          <Failure error={create.error} />
        </div>
      )}
    </form>
  );
}
