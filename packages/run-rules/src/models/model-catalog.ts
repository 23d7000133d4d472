import type { ModelConnection, PinnedPrice } from '@agentclash/attempt-plan';
import { modelAlias, type Pricing, providerOfModel } from '@agentclash/challengepack';
import type { ModelAlias, ProviderAccount } from '@agentclash/contracts';
import { type ResolvedPrice, resolvePrice } from '@agentclash/prices';

/** The account that serves where several could. */
const DEFAULT_ACCOUNT = 'default';

/** The accounts and aliases of a workspace, as a run finds them. */
export class ModelCatalog {
  private readonly accounts: ReadonlyMap<string, ProviderAccount>;
  private readonly aliases: ReadonlyMap<string, ModelAlias>;

  constructor(accounts: readonly ProviderAccount[], aliases: readonly ModelAlias[]) {
    this.accounts = new Map(accounts.map((account) => [account.id, account]));
    this.aliases = new Map(aliases.map((alias) => [alias.name, alias]));
  }

  /** The name of an account; undefined for one that is not there. */
  accountName(id: string): string | undefined {
    return this.accounts.get(id)?.name;
  }

  ofAccount(id: string, model: string): ModelConnection | undefined {
    const account = this.accounts.get(id);
    return account && connection(account, model);
  }

  ofAlias(name: string): ModelConnection | undefined {
    const alias = this.aliases.get(name);
    return alias && this.ofAccount(alias.provider_account_id, alias.model);
  }

  /**
   * A model as a pack names it: `alias:NAME`, or an id whose provider has an account named `default` or only one.
   * Undefined when the workspace has no account for it.
   */
  ofPack(named: string): ModelConnection | undefined {
    const alias = modelAlias(named);
    if (alias !== undefined) return this.ofAlias(alias);
    const provider = providerOfModel(named);
    const able = [...this.accounts.values()].filter(({ provider_key }) => provider_key === provider);
    const account =
      able.find(({ name }) => name === DEFAULT_ACCOUNT) ?? (able.length === 1 ? able[0] : undefined);
    return account && connection(account, named);
  }
}

/** The model with the price that holds for it: the pack's, else the one that the run pinned. */
export function withPrice<C extends ModelConnection>({ pricing, ...model }: C, pack: Pricing) {
  const { provider_key, model: id } = model;
  const found = resolvePrice({ account: { provider_key, pricing, list_prices: false }, model: id, pack });
  const pinned: PinnedPrice | undefined =
    found?.source === 'pack' ? pinnedPrice(found) : found && { ...pricing, models: [found.price] };
  return { ...model, ...(pinned && { pricing: pinned }) };
}

/** Where a model is called, without its instructions. */
export function connectionOf(model: ModelConnection): ModelConnection {
  const { provider_account_id, provider_key, model: name, credential_reference, base_url, pricing } = model;
  return {
    ...(provider_account_id !== undefined && { provider_account_id }),
    provider_key,
    model: name,
    ...(credential_reference !== undefined && { credential_reference }),
    ...(base_url !== undefined && { base_url }),
    ...(pricing && { pricing }),
  };
}

function connection(account: ProviderAccount, model: string): ModelConnection {
  const { id, provider_key, credential_reference, base_url } = account;
  const found = resolvePrice({ account, model });
  return {
    provider_account_id: id,
    provider_key,
    model,
    ...(credential_reference !== undefined && { credential_reference }),
    ...(base_url !== undefined && { base_url }),
    ...(found && { pricing: pinnedPrice(found) }),
  };
}

function pinnedPrice({ price, source, as_of }: ResolvedPrice): PinnedPrice {
  return { models: [price], source, ...(as_of !== undefined && { as_of }) };
}
