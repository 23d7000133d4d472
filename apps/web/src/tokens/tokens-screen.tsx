import { routes, type Token } from '@agentclash/api';
import { useState } from 'react';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { Failure } from '../design/failure.js';
import { formatTime, NOTHING } from '../design/format.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { Only } from '../session/only.js';
import { NewTokenForm } from './new-token-form.js';

/** The tokens of the workspace; a value is shown once, when it is made. */
export default function TokensScreen() {
  return (
    <Page title="Tokens" lead="A token belongs to this workspace and has a role. Its value is shown once.">
      <Only needs="admin" to="see and make tokens">
        <Panel title="Make a token">
          <NewTokenForm />
        </Panel>
        <Tokens />
      </Only>
    </Page>
  );
}

function Tokens() {
  const tokens = usePages(routes.tokens.list, {});
  const [doomed, setDoomed] = useState<Token | null>(null);
  const revoke = useChange(routes.tokens.revoke, {
    touches: [routes.tokens.list],
    onSuccess: () => setDoomed(null),
  });
  const columns: readonly Column<Token>[] = [
    { key: 'name', title: 'Name', cell: ({ name }) => name },
    { key: 'role', title: 'Role', cell: ({ role }) => <Badge>{role}</Badge> },
    { key: 'by', title: 'Made by', isMinor: true, cell: ({ created_by }) => created_by },
    { key: 'at', title: 'Made', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
    { key: 'used', title: 'Last used', isMinor: true, cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
    {
      key: 'expires',
      title: 'Expires',
      cell: ({ expires_at }) => (expires_at === null ? NOTHING : formatTime(expires_at)),
    },
    {
      key: 'actions',
      title: <span className="heard">Actions</span>,
      isAction: true,
      cell: (token) => (
        <Button kind="quiet" onClick={() => setDoomed(token)} aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <>
      <PagedTable
        what="tokens"
        columns={columns}
        keyOf={({ id }) => id}
        of={tokens}
        empty={{ title: 'There are no tokens.' }}
      />
      <Confirm
        title={`Revoke ${doomed?.name ?? ''}?`}
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        action="Revoke"
        isBusy={revoke.isPending}
        onConfirm={() => doomed !== null && revoke.mutate({ params: { token_id: doomed.id } })}
      >
        <p>Whoever uses it is refused at once.</p>
        {revoke.error && <Failure error={revoke.error} />}
      </Confirm>
    </>
  );
}
