import { canonicalProvider, findPriceRow, type ModelPrice } from '@agentclash/challengepack';
import { BASE_URLS, providerKeyOf } from '@agentclash/domain';
import { listPrices, type ProviderPrices } from './list-prices.js';

/** The place that a price comes from: the pack, the provider account, or the list of this release. */
export type PriceSource = 'pack' | 'account' | 'list';

/** The price of one model, and where it comes from. */
export interface ResolvedPrice {
  price: ModelPrice;
  source: PriceSource;
  /** Of a list price: the last day for which it is known to hold. */
  as_of?: string;
}

/** The part of a provider account that prices depend on. */
export interface PricedAccount {
  provider_key: string;
  base_url?: string | undefined;
  pricing?: { models: readonly ModelPrice[] } | undefined;
  /** True: the list prices of the provider hold at any base URL. False: they never hold. */
  list_prices?: boolean | undefined;
}

/**
 * The price of a model: the pack's, else the account's, else the list's. Undefined when none of them has one: the cost
 * of its calls is then unknown, never 0.
 */
export function resolvePrice(
  {
    account,
    model,
    pack,
  }: { account: PricedAccount; model: string; pack?: { models: readonly ModelPrice[] } },
  list: readonly ProviderPrices[] = listPrices(),
): ResolvedPrice | undefined {
  const sought = { provider: canonicalProvider(account.provider_key), id: model };
  const ofPack = findPriceRow(pack?.models ?? [], sought);
  if (ofPack) return { price: ofPack, source: 'pack' };
  const ofAccount = findPriceRow(account.pricing?.models ?? [], sought);
  if (ofAccount) return { price: ofAccount, source: 'account' };
  if (!hasListPrices(account)) return undefined;
  const listed = list.find(({ provider_key }) => provider_key === sought.provider);
  const ofList = findPriceRow(listed?.models ?? [], sought);
  return listed && ofList && { price: ofList, source: 'list', as_of: listed.as_of };
}

/**
 * True when the calls of an account cost what its provider lists: the account is called at the provider's own address,
 * or sets `list_prices`. Behind any other base URL is a proxy, a regional endpoint or a server of one's own, whose
 * prices are unknown.
 */
export function hasListPrices({ provider_key, base_url, list_prices }: PricedAccount): boolean {
  const provider = providerKeyOf(provider_key);
  const own = provider && BASE_URLS[provider];
  if (own === undefined || list_prices === false) return false;
  return base_url === undefined || list_prices === true || originOf(base_url) === originOf(own);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
