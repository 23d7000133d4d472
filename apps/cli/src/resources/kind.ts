import type { Client, Page } from '@agentclash/api';
import type { DeploymentStatus, WriteEffect } from '@agentclash/domain';
import type { z } from 'zod';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { isId, matchIdPart, notFound } from '../lookup/id-part.js';
import type { Paint } from '../terminal/output.js';
import type { Listing } from '../terminal/print-table.js';
import { type Column, idColumn, timeColumn } from '../terminal/table.js';
import type { KindName, LocalKind } from './kind-names.js';

/** The members that every resource of a deployment file has. */
export interface Stored {
  id: string;
  name: string;
  created_at: string;
  updated_at: string;
}

export interface Written {
  id: string;
  name: string;
  applied: WriteEffect;
  revision?: number;
  warnings?: readonly Warning[] | undefined;
}

interface Warning {
  code: string;
  message: string;
}

/**
 * A member that files write as a name, or as a path beside them, where the HTTP body holds an id or what lies there. `*`
 * in the pattern is every entry of a list or map.
 */
export interface Link {
  written: string;
  /** The body's own name of the member, where that differs. */
  member?: string;
  to: KindName | LocalKind;
  /** The body holds the name too: it only has to exist. */
  staysName?: boolean;
}

/** Which to list; only deployments have a status. */
export interface ListFilter {
  status?: DeploymentStatus;
}

interface ListQuery extends ListFilter {
  limit?: number;
  cursor?: string | undefined;
  name?: string;
}

interface Declaration<Spec extends z.ZodType, Item extends Stored> {
  name: KindName;
  /** As in `There is no <noun> "x"`. */
  noun: string;
  /** The body of create and update. */
  spec: Spec;
  links: readonly Link[];
  list: (client: Client, query: ListQuery) => Promise<Page<Item>>;
  get: (client: Client, id: string) => Promise<Item>;
  create: (client: Client, body: z.output<Spec>) => Promise<Item & Pick<Written, 'revision' | 'warnings'>>;
  update: (client: Client, id: string, body: z.output<Spec>) => Promise<Item & Omit<Written, 'id' | 'name'>>;
  remove: (client: Client, id: string) => Promise<undefined>;
  /** Members that a file without them leaves unchanged. */
  keep?: (body: z.output<Spec>, existing: Item) => z.output<Spec>;
  /** Shows a name under which nothing is stored. */
  builtIn?: (client: Client, name: string) => Promise<object | undefined>;
  columns: readonly Column<Item>[];
  view?: ResourceView;
  /** Shown for a workspace that has none. */
  empty: string;
}

/** Members of a resource that are shown as sentences instead of as they are stored. */
interface ResourceView {
  title: string;
  members: readonly string[];
  lines: (resource: object) => string[];
}

/** One kind of resource without its own types: lists, shows, creates and deletes resources of any kind. */
export interface ResourceKind {
  readonly name: KindName;
  readonly noun: string;
  readonly spec: z.ZodType;
  readonly links: readonly Link[];
  readonly view?: ResourceView | undefined;
  listAll(client: Client, filter?: ListFilter): Promise<Stored[]>;
  find(client: Client, name: string): Promise<Stored | undefined>;
  /** By name or id. Fails with a `CommandError` that lists what there is. */
  get(client: Client, reference: string): Promise<Stored>;
  /** As `get`, and what is built in under a name that nothing is stored under. */
  show(client: Client, reference: string): Promise<object>;
  /** Makes it, or revises what exists under its name. */
  apply(client: Client, body: unknown, existing: Stored | undefined): Promise<Written>;
  remove(client: Client, id: string): Promise<undefined>;
  /** The columns of its list, and the text of an empty one. */
  listing(paint: Paint): Listing<Stored>;
}

export function resourceKind<Spec extends z.ZodType, Item extends Stored>(
  declaration: Declaration<Spec, Item>,
): ResourceKind {
  const { name, noun, spec, links, columns, empty, remove, view } = declaration;
  const { list, create, update, keep = (body) => body, builtIn = async () => undefined } = declaration;
  const listAll = (client: Client, filter: ListFilter = {}) =>
    allPages((cursor) => list(client, { ...filter, limit: PAGE_SIZE, cursor }));
  const find = async (client: Client, wanted: string) =>
    (await list(client, { name: wanted })).items.find((item) => item.name === wanted);
  const get = async (client: Client, reference: string) => {
    if (isId(reference)) return declaration.get(client, reference);
    const found = await find(client, reference);
    if (found !== undefined) return found;
    const items = await listAll(client);
    const byPart = matchIdPart(items, reference, noun);
    if (byPart !== undefined) return byPart;
    throw await notFound(
      noun,
      reference,
      items.map((item) => item.name),
    );
  };
  const allColumns = (paint: Paint): Column<Item>[] => [
    { title: noun.toUpperCase(), value: (item) => item.name, style: paint.bold, cutTo: 20 },
    ...columns,
    timeColumn('UPDATED', ({ updated_at: at }) => at, { leaveOut: 1 }),
    idColumn('ID', ({ id }) => id),
  ];
  return {
    ...{ name, noun, spec, links, view, listAll, find, get, remove },
    async show(client, reference) {
      const stored = isId(reference) ? undefined : await find(client, reference);
      return stored ?? (await builtIn(client, reference)) ?? get(client, reference);
    },
    async apply(client, unchecked, existing) {
      const body = spec.parse(unchecked);
      if (existing === undefined) return written(await create(client, body), 'created');
      const { applied, ...item } = await update(client, existing.id, keep(body, existing as Item));
      return written(item, applied);
    },
    listing: (paint) => ({ columns: allColumns(paint) as Column<Stored>[], empty }),
  };
}

function written(stored: Stored & Pick<Written, 'revision' | 'warnings'>, applied: WriteEffect): Written {
  const { id, name, revision, warnings } = stored;
  return { id, name, applied, ...(revision !== undefined && { revision }), ...(warnings && { warnings }) };
}
