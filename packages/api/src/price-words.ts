import type { PinnedModelPrice } from '@agentclash/contracts';

const SOURCES = { pack: 'of the pack', account: 'of the account' } as const;

/** A price that a run pinned: `openai gpt-5: $1.25 in, $10 out per million tokens, list of 2026-06-21`. */
function priceInWords({ provider_key, model, source, as_of, price }: PinnedModelPrice): string {
  const of = `${provider_key} ${model}`;
  if (price === null || source === null) return `${of}: unknown`;
  const { input_cost_per_million_tokens: input, output_cost_per_million_tokens: output } = price;
  const from = source === 'list' ? `list of ${as_of}` : SOURCES[source];
  return `${of}: $${input} in, $${output} out per million tokens, ${from}`;
}

/** The prices of these lanes, each once. */
export function pricesInWords(lanes: readonly { prices?: readonly PinnedModelPrice[] }[]): string[] {
  return [...new Set(lanes.flatMap(({ prices = [] }) => prices.map(priceInWords)))];
}
