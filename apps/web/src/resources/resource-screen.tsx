import { useState } from 'react';
import { useRenewal } from '../data/use-renewal.js';
import { Button } from '../design/button.js';
import { Dialog } from '../design/dialog.js';
import { Page } from '../design/page.js';
import { Section } from '../design/section.js';
import { useMay } from '../session/session.js';
import type { ResourceKind } from './form/resource-kind.js';
import { SpecForm } from './form/spec-form.js';
import css from './resource.module.css';
import { ResourceTable } from './resource-table.js';

interface OfKind<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
}

/** A screen for one kind of resource. */
export function ResourceScreen<Item extends { id: string; name: string }, Spec>({
  kind,
}: OfKind<Item, Spec>) {
  const items = kind.useItems();
  return (
    <Page title={capital(kind.plural)} lead={kind.lead} actions={<NewResource kind={kind} />}>
      <ResourceTable kind={kind} items={items} />
    </Page>
  );
}

/** A part of a screen for one kind of resource. */
export function ResourceSection<Item extends { id: string; name: string }, Spec>({
  kind,
}: OfKind<Item, Spec>) {
  const items = kind.useItems();
  return (
    <Section title={capital(kind.plural)} actions={<NewResource kind={kind} />}>
      <ResourceTable kind={kind} items={items} />
    </Section>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Opens the form for a new resource; without the required role it names that role. */
function NewResource<Item extends { id: string; name: string }, Spec>({ kind }: OfKind<Item, Spec>) {
  const [isOpen, setOpen] = useState(false);
  const renew = useRenewal(kind.touches);
  const mayWrite = useMay(kind.writer);
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
          isReadOnly={false}
          onDone={() => {
            close();
            void renew();
          }}
          onCancel={close}
        />
      </Dialog>
    </>
  );
}
