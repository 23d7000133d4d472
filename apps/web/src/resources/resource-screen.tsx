import { Page } from '../design/page.js';
import { Section } from '../design/section.js';
import { NewResource } from './new-resource.js';
import type { ResourceKind } from './resource-kind.js';
import { ResourceTable } from './resource-table.js';

interface OfKind<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
}

/** A screen for one kind of resource. */
export function ResourceScreen<Item extends { id: string; name: string }, Spec>({
  kind,
}: OfKind<Item, Spec>) {
  const items = kind.useItems();
  const actions = <NewResource kind={kind} onMade={() => void items.refetch()} />;
  return (
    <Page title={capital(kind.plural)} lead={kind.lead} actions={actions}>
      <ResourceTable kind={kind} items={items} />
    </Page>
  );
}

/** A part of a screen for one kind of resource. */
export function ResourceSection<Item extends { id: string; name: string }, Spec>({
  kind,
}: OfKind<Item, Spec>) {
  const items = kind.useItems();
  const actions = <NewResource kind={kind} onMade={() => void items.refetch()} />;
  return (
    <Section title={capital(kind.plural)} actions={actions}>
      <ResourceTable kind={kind} items={items} />
    </Section>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
