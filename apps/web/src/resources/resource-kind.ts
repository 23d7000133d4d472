import type { Client, Role } from '@agentclash/api';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { Column } from '../design/table.js';

/** What `usePages` gives. */
export interface PagedItems<Item> {
  items: readonly Item[];
  error: unknown;
  isPending: boolean;
  isFetchingMore: boolean;
  more: (() => void) | undefined;
  refetch: () => unknown;
}

/** One kind of thing that a workspace keeps under names, made from a spec and replaced as a whole. */
export interface ResourceKind<Item extends { id: string; name: string }, Spec> {
  /** In the plural and the singular, such as "deployments", "deployment". */
  plural: string;
  singular: string;
  lead: string;
  /** Who may write. */
  writer: Role;
  columns: readonly Column<Item>[];
  useItems: () => PagedItems<Item>;
  /** What a spec must look like; the server judges what it refers to. */
  spec: z.ZodType<Spec>;
  /** The spec that an item was made from. */
  specOf: (item: Item) => object;
  /** Specs to begin with, by what they are for. */
  starters: Readonly<Record<string, object>>;
  /** A member of the spec that goes in and never comes out. */
  secret?: { member: string; label: string; hint: string };
  create: (client: Client, spec: Spec, idempotencyKey: string) => Promise<unknown>;
  update: (client: Client, id: string, spec: Spec) => Promise<unknown>;
  removal: { word: string; consequence: string; remove: (client: Client, id: string) => Promise<unknown> };
  /** More that can be done with one of them. */
  Actions?: (props: { item: Item }) => ReactNode;
}
