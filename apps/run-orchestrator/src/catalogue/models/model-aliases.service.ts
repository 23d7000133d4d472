import { isDeepStrictEqual } from 'node:util';
import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type In,
  type ModelAlias,
  type ModelAliasSpec,
  modelAliases,
  type Out,
} from '@agentclash/contracts';
import { cutPage, readIdCursor } from '../../page-cursor.js';
import { inUse, refuseInUse } from '../resources/in-use.js';
import { unknownReference } from '../resources/problems.js';
import { isDangling, NAME_TAKEN, nameTaken } from '../resources/unique-name.js';
import { ModelAliasesStore } from './model-aliases.store.js';
import { ProviderAccountsStore } from './provider-accounts.store.js';

@Handles(modelAliases)
export class ModelAliasesService implements Serves<typeof modelAliases> {
  constructor(
    private readonly store: ModelAliasesStore,
    private readonly accounts: ProviderAccountsStore,
  ) {}

  async create({ workspace_id, spec, actor }: In<typeof modelAliases.create>): Promise<ModelAlias> {
    await this.checkAccount(workspace_id, spec);
    const created = await this.store.create(workspace_id, spec, actor).catch(accountGone(spec));
    return created === NAME_TAKEN ? nameTaken('a model alias', spec.name) : created;
  }

  async update(request: In<typeof modelAliases.update>): Promise<Out<typeof modelAliases.update>> {
    const { workspace_id, spec, actor } = request;
    const alias = await this.get(request);
    const { id, created_at, updated_at, ...before } = alias;
    if (isDeepStrictEqual(before, spec)) return { applied: 'unchanged', model_alias: alias };
    await this.checkAccount(workspace_id, spec);
    const replaced = await this.store.replace(alias, spec, actor).catch(accountGone(spec));
    if (replaced === NAME_TAKEN) return nameTaken('a model alias', spec.name);
    if ('alias' in replaced) return { applied: 'revised', model_alias: replaced.alias };
    return inUse(`The name of the model alias "${alias.name}"`, replaced.users);
  }

  /** Newest first. */
  async list(request: In<typeof modelAliases.list>): Promise<Out<typeof modelAliases.list>> {
    const { workspace_id: workspaceId, name, limit, cursor } = request;
    const found = await this.store.list({ workspaceId, name, after: readIdCursor(cursor), take: limit + 1 });
    return cutPage(found, limit, (alias) => alias.id);
  }

  async get({ workspace_id, model_alias_id }: In<typeof modelAliases.get>): Promise<ModelAlias> {
    const found = await this.store.find(workspace_id, model_alias_id);
    if (found) return found;
    throw new ContractError('not_found', `There is no model alias ${model_alias_id}.`);
  }

  async remove(request: In<typeof modelAliases.remove>): Promise<Record<string, never>> {
    const { id, name } = await this.get(request);
    refuseInUse(`The model alias "${name}"`, await this.store.remove(id));
    return {};
  }

  private async checkAccount(workspaceId: string, spec: ModelAliasSpec): Promise<void> {
    if (!(await this.accounts.find(workspaceId, spec.provider_account_id))) noSuchAccount(spec);
  }
}

const accountGone =
  (spec: ModelAliasSpec) =>
  (error: unknown): never => {
    if (isDangling(error)) return noSuchAccount(spec);
    throw error;
  };

function noSuchAccount({ provider_account_id: id }: ModelAliasSpec): never {
  return unknownReference(
    `There is no provider account ${id}.`,
    'provider_account_id',
    'names no provider account',
  );
}
