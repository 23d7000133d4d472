import { isDeepStrictEqual } from 'node:util';
import { ContractError } from '@agentclash/contracts';
import { decodeIdCursor, pageOf } from '@agentclash/service-kit';
import { isDangling, writeNamed } from './resource-errors.js';
import type { ListQuery } from './workspace-resource.store.js';

/** The names of a kind of resource in messages and errors. */
export interface ResourceKind<Key extends string> {
  /** In messages: `model_alias` has `model_alias_id`. */
  key: Key;
  /** In errors: `model alias`. */
  noun: string;
}

type Of<Key extends string> = { workspace_id: string } & Record<`${Key}_id`, string>;

interface ListRequest {
  workspace_id: string;
  name?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

interface Item {
  id: string;
  name: string;
}

interface Reads<Resource> {
  find(workspaceId: string, id: string): Promise<Resource | undefined>;
  list(query: ListQuery, filter: object): Promise<Resource[]>;
}

interface Writes<Spec, Resource> extends Reads<Resource> {
  create(resource: {
    id?: string | undefined;
    workspaceId: string;
    spec: Spec;
    actor?: string | undefined;
  }): Promise<Resource>;
  replace(before: Resource, spec: Spec, actor?: string): Promise<Resource>;
  remove(id: string, what: string): Promise<void>;
}

/** The requests that are handled alike for every kind of resource of a workspace. */
export abstract class WorkspaceResource<
  Key extends string,
  Resource extends Item,
  Store extends Reads<Resource>,
> {
  constructor(
    protected readonly kind: ResourceKind<Key>,
    protected readonly store: Store,
  ) {}

  /** Newest first. */
  async list(request: ListRequest): Promise<{ items: Resource[]; next_cursor: string | null }> {
    const { workspace_id: workspaceId, name, limit, cursor } = request;
    const query = { workspaceId, name, after: decodeIdCursor(cursor), take: limit + 1 };
    const found = await this.store.list(query, this.filterOf(request));
    return pageOf(found, limit, { item: (resource) => resource, sortKey: ({ id }) => id });
  }

  async get(request: Of<Key>): Promise<Resource> {
    const id: string = request[`${this.kind.key}_id` as `${Key}_id`] as string;
    return (await this.store.find(request.workspace_id, id)) ?? this.unknown(id);
  }

  /** Values of columns that a list request names beside the resource's name. */
  protected filterOf(_request: ListRequest): object {
    return {};
  }

  protected unknown(id: string): never {
    throw new ContractError('not_found', `There is no ${this.kind.noun} ${id}.`);
  }

  /** Writes a resource under a name; fails with `conflict` when another has it. */
  protected async named<T>(name: string, write: () => Promise<T>): Promise<T> {
    return await writeNamed(`a ${this.kind.noun}`, name, write);
  }
}

/** A resource that is replaced whole and may be removed when nothing refers to it. */
export abstract class EditableResource<
  Key extends string,
  Resource extends Item & { created_at: string; updated_at: string },
  Spec extends { name: string },
  Store extends Writes<Stored, Resource>,
  Stored extends Spec = Spec,
> extends WorkspaceResource<Key, Resource, Store> {
  async create(request: {
    workspace_id: string;
    id?: string | undefined;
    spec: Spec;
    actor?: string;
  }): Promise<Resource> {
    const { workspace_id: workspaceId, id, actor } = request;
    const spec = this.normalize(request.spec);
    await this.check(workspaceId, spec);
    return await this.write(spec, () => this.store.create({ id, workspaceId, spec, actor }));
  }

  async update(
    request: Of<Key> & { spec: Spec; actor?: string },
  ): Promise<{ applied: 'unchanged' | 'revised' } & Record<Key, Resource>> {
    const before = await this.get(request);
    const spec = this.normalize(request.spec);
    if (isDeepStrictEqual(this.specOf(before), spec)) return this.applied('unchanged', before);
    await this.check(request.workspace_id, spec);
    const replaced = await this.write(spec, () => this.store.replace(before, spec, request.actor));
    return this.applied('revised', replaced);
  }

  async remove(request: Of<Key>): Promise<Record<string, never>> {
    const { id, name } = await this.get(request);
    await this.store.remove(id, `The ${this.kind.noun} "${name}"`);
    return {};
  }

  /** The spec as it is stored. */
  protected normalize(spec: Spec): Stored {
    return spec as Stored;
  }

  /** Fails for a spec that is not allowed or refers to what is not there. */
  protected async check(_workspaceId: string, _spec: Stored): Promise<void> {}

  /** Fails for a spec that refers to what was removed since it was checked. */
  protected referenceGone(_spec: Stored, error: unknown): never {
    throw error;
  }

  /** The spec of a stored resource. */
  protected specOf({ id, created_at, updated_at, ...spec }: Resource): object {
    return spec;
  }

  private async write(spec: Stored, write: () => Promise<Resource>): Promise<Resource> {
    try {
      return await this.named(spec.name, write);
    } catch (error) {
      return isDangling(error) ? this.referenceGone(spec, error) : raise(error);
    }
  }

  private applied<How extends 'unchanged' | 'revised'>(applied: How, resource: Resource) {
    return { applied, [this.kind.key]: resource } as { applied: How } & Record<Key, Resource>;
  }
}

function raise(error: unknown): never {
  throw error;
}
