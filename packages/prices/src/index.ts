export { listPrices, type ProviderPrices } from './list-prices.js';
export {
  hasListPrices,
  type PricedAccount,
  type PriceSource,
  type ResolvedPrice,
  resolvePrice,
} from './resolve-price.js';
