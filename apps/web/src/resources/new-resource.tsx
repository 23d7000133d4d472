import { useState } from 'react';
import { Button } from '../design/button.js';
import { Dialog } from '../design/dialog.js';
import { useMay } from '../session/session.js';
import css from './resource.module.css';
import type { ResourceKind } from './resource-kind.js';
import { SpecForm } from './spec-form.js';

interface NewResourceProps<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
  onMade: () => void;
}

/** Opens the form for a new resource; without the required role it names that role. */
export function NewResource<Item extends { id: string; name: string }, Spec>({
  kind,
  onMade,
}: NewResourceProps<Item, Spec>) {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useMay(kind.writer);
  const [beginning = {}] = Object.values(kind.starters);
  const close = () => setOpen(false);
  if (!mayWrite) {
    const who = kind.writer === 'admin' ? 'an admin' : 'a member';
    return <p className={css.note}>{`Read only: ${who} of the workspace may change ${kind.plural}.`}</p>;
  }
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        New {kind.singular}
      </Button>
      <Dialog title={`New ${kind.singular}`} isOpen={isOpen} onClose={close}>
        <SpecForm
          kind={kind}
          item={null}
          beginning={beginning}
          isReadOnly={false}
          onDone={() => {
            close();
            onMade();
          }}
          onCancel={close}
        />
      </Dialog>
    </>
  );
}
