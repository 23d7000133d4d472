import type { Client, Route } from '@agentclash/api';
import type { Role } from '@agentclash/domain';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { Column } from '../../design/table.js';
import type { AllItems } from '../../design/table-file.js';
import type { FormField } from './form-field.js';
import type { SpecProblem } from './read-spec.js';
import type { SpecDocument } from './spec-document.js';

/** The result of `usePages`. */
export interface PagedItems<Item> {
  items: readonly Item[];
  error: unknown;
  isPending: boolean;
  isFetchingMore: boolean;
  more: (() => void) | undefined;
  refetch: () => unknown;
  all: () => Promise<AllItems<Item>>;
}

export type Starters = Readonly<Record<string, object>>;

/** One kind of named resource of a workspace, created from a spec and replaced as a whole. */
export interface ResourceKind<Item extends { id: string; name: string }, Spec> {
  /** In the plural and the singular, such as "deployments", "deployment". */
  plural: string;
  singular: string;
  lead: string;
  /** The way to the first one, where there is none. */
  first?: ReactNode;
  /** The role that may write. */
  writer: Role;
  columns: readonly Column<Item>[];
  useItems: () => PagedItems<Item>;
  /** Routes whose responses change with the items: their list, and others. */
  touches: readonly Route[];
  /** Schema of a spec; the server checks its references. */
  spec: z.ZodType<Spec>;
  /** The spec of an item. */
  specOf: (item: Item) => object;
  /** Templates by name. */
  starters: Starters;
  /** The templates with choices of the workspace in them, for a form that is open. */
  useStarters?: () => Starters;
  /** The fields of the form, by the spec as it is now; without it, a spec is edited as YAML alone. */
  fields?: (spec: SpecDocument) => readonly FormField[];
  /** Finds what a spec names and the workspace does not have, where the spec has other problems: it is not sent then. */
  unknownNames?: (client: Client, spec: SpecDocument) => Promise<readonly SpecProblem[]>;
  /** A write-only member of the spec. */
  secret?: { member: string; label: string; hint: string };
  create: (client: Client, spec: Spec, idempotencyKey: string) => Promise<unknown>;
  update: (client: Client, id: string, spec: Spec) => Promise<unknown>;
  removal: { word: string; consequence: string; remove: (client: Client, id: string) => Promise<unknown> };
  /** Further actions of an item. */
  Actions?: (props: { item: Item }) => ReactNode;
}
