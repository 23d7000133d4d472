import { useState } from 'react';
import { useMutationOnce } from '../data/use-mutation-once.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { Failure } from '../design/failure.js';
import { useSession } from '../session/session.js';
import type { ResourceKind } from './resource-kind.js';

interface RemoveButtonProps<Item extends { id: string; name: string }> {
  kind: Pick<ResourceKind<Item, never>, 'removal' | 'singular'>;
  item: Item;
  onRemoved: () => void;
}

export function RemoveButton<Item extends { id: string; name: string }>({
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
