import { routes, type Token } from '@agentclash/api';
import { useState } from 'react';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { Failure } from '../design/failure.js';
import { formatTime, NOTHING } from '../design/format.js';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { NewTokenForm } from './new-token-form.js';

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
  const [doomed, setDoomed] = useState<Token | null>(null);
  const revoke = useChange(routes.tokens.revoke, {
    touches: [routes.tokens.list],
    onSuccess: () => setDoomed(null),
  });
  const actions: Column<Token> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: (token) => (
      <Button kind="quiet" onClick={() => setDoomed(token)} aria-label={`Revoke ${token.name}`}>
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
        title={`Revoke ${doomed?.name ?? ''}?`}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        action="Revoke"
        isBusy={revoke.isPending}
        onConfirm={() => doomed !== null && revoke.mutate({ params: { ...params, token_id: doomed.id } })}
      >
        <p>Requests with it are rejected immediately.</p>
        {revoke.error && <Failure error={revoke.error} />}
      </Confirm>
    </>
  );
}
