import {
  callCostUsd,
  findPriceRow,
  type PricedUsage,
  type PriceRow,
  type Pricing,
} from '@agentclash/challengepack';

/** The row that prices a model: the first list that has one decides. */
export function priceRowOf(
  model: { provider: string; id: string },
  pricings: readonly (Pricing | undefined)[],
): PriceRow | undefined {
  for (const pricing of pricings) {
    const row = findPriceRow(pricing?.models ?? [], model);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** US dollars of a call; null when the model has no price, or the provider reported no tokens. */
export function usageCost(usage: PricedUsage, row: PriceRow | undefined): number | null {
  return row === undefined ? null : (callCostUsd(usage, row) ?? null);
}
