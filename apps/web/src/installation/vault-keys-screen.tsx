import { type KeyRingStatus, routes } from '@agentclash/api';
import { useState } from 'react';
import { Loaded } from '../data/loaded.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Badge, type Tone } from '../design/badge.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { formatCount } from '../design/format.js';
import { Page } from '../design/page.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import { type Column, Table } from '../design/table.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { OperatorOnly } from '../session/only.js';

const REFRESH_MS = 1_000;

type Key = KeyRingStatus['keys'][number];

const TONES: Record<Key['state'], Tone> = {
  active: 'good',
  serving: 'accent',
  retired: 'neutral',
  missing: 'bad',
};

/** The keys that wrap all secrets: their state and rotation. No key is ever shown. */
export default function VaultKeysScreen(_props: ScreenProps) {
  return (
    <Page title="Vault keys" lead="Master keys wrap the secrets of all workspaces. A key is never shown.">
      <OperatorOnly to="manage the vault keys">
        <KeyRing />
      </OperatorOnly>
    </Page>
  );
}

function KeyRing() {
  const ring = useRead(
    routes.vaultKeys.status,
    {},
    { refetchInterval: (data) => (data?.is_rotating ? REFRESH_MS : false) },
  );
  const [isConfirming, setConfirming] = useState(false);
  const touches = [routes.vaultKeys.status];
  const rotate = useChange(routes.vaultKeys.rotate, {
    touches,
    done: 'Rotation started',
    onSuccess: () => setConfirming(false),
  });
  return (
    <>
      <Loaded of={ring} what="the keys">
        {(status) => (
          <Panel
            title={status.is_rotating ? 'Keys (rotation in progress)' : 'Keys'}
            actions={
              <Button isBusy={rotate.isPending || status.is_rotating} onClick={() => setConfirming(true)}>
                Rotate
              </Button>
            }
            isFlush
          >
            <Keys keys={status.keys} />
            {status.problem !== null && <Badge tone="bad">{status.problem}</Badge>}
          </Panel>
        )}
      </Loaded>
      <Confirm
        title="Rotate the master key?"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action="Rotate"
        isBusy={rotate.isPending}
        onConfirm={() => rotate.mutate({})}
      >
        <p>
          The vault reads its keys again, creates a new one where it manages them, and re-wraps all secrets in
          the background. Runs continue.
        </p>
        {rotate.error && <Failure error={rotate.error} />}
      </Confirm>
    </>
  );
}

function Keys({ keys }: { keys: readonly Key[] }) {
  const [pendingRemoval, setPendingRemoval] = useState<string | null>(null);
  const retire = useChange(routes.vaultKeys.retire, {
    touches: [routes.vaultKeys.status],
    done: 'Key retired',
    onSuccess: () => setPendingRemoval(null),
  });
  const columns: readonly Column<Key>[] = [
    { key: 'id', title: 'Key', cell: ({ id }) => <code>{id}</code> },
    { key: 'state', title: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge> },
    { key: 'secrets', title: 'Secrets', isFigure: true, cell: ({ secrets }) => formatCount(secrets) },
    {
      key: 'actions',
      title: <span className="visually-hidden">Actions</span>,
      isAction: true,
      cell: ({ id, state, secrets }) =>
        state === 'serving' &&
        secrets === 0 && (
          <Button kind="quiet" onClick={() => setPendingRemoval(id)} aria-label={`Retire ${id}`}>
            Retire
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table label="Keys" columns={columns} rows={keys} keyOf={({ id }) => id} />
      <Confirm
        title={`Retire the key ${pendingRemoval ?? ''}?`}
        isOpen={pendingRemoval !== null}
        onClose={() => setPendingRemoval(null)}
        action="Retire"
        isBusy={retire.isPending}
        onConfirm={() => pendingRemoval !== null && retire.mutate({ params: { key: pendingRemoval } })}
      >
        <p>It wraps no further secrets and can then be removed.</p>
        {retire.error && <Failure error={retire.error} />}
      </Confirm>
    </>
  );
}
