import { useState } from 'react';
import { useMutationOnce } from '../data/use-mutation-once.js';
import { useRenewal } from '../data/use-renewal.js';
import { Button } from '../design/button.js';
import { Confirm, Dialog } from '../design/dialog.js';
import { PagedTable } from '../design/paged-table.js';
import { Failure } from '../design/states.js';
import type { Column } from '../design/table.js';
import { showToast } from '../design/toasts.js';
import { useMay, useSession } from '../session/session.js';
import type { PagedItems, ResourceKind } from './form/resource-kind.js';
import { SpecForm } from './form/spec-form.js';
import css from './resource.module.css';

interface ResourceTableProps<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
  items: PagedItems<Item>;
}

/** Lists, changes and removes resources of one kind. */
export function ResourceTable<Item extends { id: string; name: string }, Spec>({
  kind,
  items,
}: ResourceTableProps<Item, Spec>) {
  const mayWrite = useMay(kind.writer);
  const [edited, setEdited] = useState<Item | null>(null);
  const close = () => setEdited(null);
  const renew = useRenewal(kind.touches);
  const { Actions } = kind;
  const actions: Column<Item> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: (item) => (
      <span className={css.actions}>
        {Actions && <Actions item={item} />}
        <Button
          kind="quiet"
          onClick={() => setEdited(item)}
          aria-label={`${mayWrite ? 'Edit' : 'Show'} ${item.name}`}
        >
          {mayWrite ? 'Edit' : 'Show'}
        </Button>
        {mayWrite && <RemoveButton kind={kind} item={item} onRemoved={() => void renew()} />}
      </span>
    ),
  };
  return (
    <>
      <PagedTable
        what={kind.plural}
        columns={[...kind.columns, actions]}
        keyOf={({ id }) => id}
        of={items}
        isStacked
        empty={{ title: `No ${kind.plural} yet`, children: kind.first }}
      />
      <Dialog title={edited?.name ?? ''} isOpen={edited !== null} onClose={close}>
        {edited !== null && (
          <SpecForm
            kind={kind}
            item={edited}
            isReadOnly={!mayWrite}
            onDone={() => {
              close();
              void renew();
            }}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
}

interface RemoveButtonProps<Item extends { id: string; name: string }> {
  kind: Pick<ResourceKind<Item, never>, 'removal' | 'singular'>;
  item: Item;
  onRemoved: () => void;
}

function RemoveButton<Item extends { id: string; name: string }>({
  kind: { removal, singular },
  item,
  onRemoved,
}: RemoveButtonProps<Item>) {
  const { client } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutationOnce({
    mutationFn: () => removal.remove(client, item.id),
    onSuccess: () => {
      setConfirming(false);
      showToast(`${item.name} ${removal.word.toLowerCase()}d`);
      onRemoved();
    },
  });
  return (
    <>
      <Button kind="quiet" onClick={() => setConfirming(true)} aria-label={`${removal.word} ${item.name}`}>
        {removal.word}
      </Button>
      <Confirm
        title={`${removal.word} the ${singular} ${item.name}?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action={removal.word}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>{removal.consequence}</p>
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </>
  );
}
