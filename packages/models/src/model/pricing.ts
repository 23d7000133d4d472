import {
  callCostUsd,
  findPriceRow,
  type PricedUsage,
  type PriceRow,
  type Pricing,
} from '@agentclash/challengepack';

/** The price row of a model, from the first list that has one. */
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
