import { useState } from 'react';
import { Button } from '../design/button.js';
import { Dialog } from '../design/dialog.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import type { Column } from '../design/table.js';
import { useMay } from '../session/session.js';
import { RemoveButton } from './remove-button.js';
import css from './resource.module.css';
import type { ResourceKind } from './resource-kind.js';
import { SpecForm } from './spec-form.js';

/** A screen for one kind of resource. */
export function ResourceScreen<Item extends { id: string; name: string }, Spec>({
  kind,
}: {
  kind: ResourceKind<Item, Spec>;
}) {
  return (
    <Page title={capital(kind.plural)} lead={kind.lead}>
      <ResourceList kind={kind} />
    </Page>
  );
}

interface ResourceListProps<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
}

/** Lists, makes, changes and removes resources of one kind. */
export function ResourceList<Item extends { id: string; name: string }, Spec>({
  kind,
}: ResourceListProps<Item, Spec>) {
  const items = kind.useItems();
  const mayWrite = useMay(kind.writer);
  const [edited, setEdited] = useState<Item | 'new' | null>(null);
  const close = () => setEdited(null);
  const { Actions } = kind;
  const actions: Column<Item> = {
    key: 'actions',
    title: <span className="heard">Actions</span>,
    cell: (item) => (
      <span className={css.actions}>
        {Actions && <Actions item={item} />}
        <Button onClick={() => setEdited(item)} aria-label={`${mayWrite ? 'Edit' : 'Show'} ${item.name}`}>
          {mayWrite ? 'Edit' : 'Show'}
        </Button>
        {mayWrite && <RemoveButton kind={kind} item={item} onRemoved={() => void items.refetch()} />}
      </span>
    ),
  };
  const [beginning] = Object.values(kind.starters);
  return (
    <>
      {mayWrite ? (
        <span>
          <Button kind="primary" onClick={() => setEdited('new')}>
            New {kind.singular}
          </Button>
        </span>
      ) : (
        <p className={css.note}>
          Your role may look. {kind.writer === 'admin' ? 'An admin' : 'A member'} may change {kind.plural}.
        </p>
      )}
      <PagedTable
        what={kind.plural}
        columns={[...kind.columns, actions]}
        keyOf={({ id }) => id}
        of={items}
        empty={{ title: `There are no ${kind.plural} yet.` }}
      />
      <Dialog
        title={edited === 'new' || edited === null ? `New ${kind.singular}` : edited.name}
        isOpen={edited !== null}
        onClose={close}
      >
        <SpecForm
          kind={kind}
          item={edited === 'new' ? null : edited}
          beginning={edited === 'new' || edited === null ? (beginning ?? {}) : kind.specOf(edited)}
          isReadOnly={!mayWrite}
          onDone={() => {
            close();
            void items.refetch();
          }}
          onCancel={close}
        />
      </Dialog>
    </>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
