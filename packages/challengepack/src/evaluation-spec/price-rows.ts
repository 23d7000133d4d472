import { canonicalProvider } from './providers.js';
import type { ModelPrice, PriceRow } from './types.js';

/** Token figures of a call; null and undefined are unreported. */
export interface PricedUsage {
  readonly input?: number | null;
  readonly output?: number | null;
  readonly cached_input?: number | null;
  readonly cache_write?: number | null;
  readonly reasoning?: number | null;
}

const DATE_SUFFIX = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

type RowIds = Partial<Pick<PriceRow, 'provider_key' | 'provider_model_id'>>;

/** The row that prices a model: the one of that exact id, else of the id without its trailing date. */
export function findPriceRow<R extends RowIds>(
  rows: readonly R[],
  model: { provider: string; id: string },
): R | undefined {
  const provider = canonicalProvider(model.provider);
  const byId = (id: string) =>
    rows.find(
      (row) =>
        row.provider_model_id === id &&
        row.provider_key !== undefined &&
        canonicalProvider(row.provider_key) === provider,
    );
  return byId(model.id) ?? byId(model.id.replace(DATE_SUFFIX, ''));
}

/** US dollars of one call; undefined when it reported neither input nor output. */
export function callCostUsd(usage: PricedUsage, price: ModelPrice): number | undefined {
  if (usage.input == null && usage.output == null) return undefined;
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  const rates = ratesOf(price, input);
  // Providers count cached and written tokens within the input, and reasoning tokens within the output.
  const cached = Math.min(usage.cached_input ?? 0, input);
  const written = Math.min(usage.cache_write ?? 0, input - cached);
  const reasoning = Math.min(usage.reasoning ?? 0, output);
  const millionths =
    (input - cached - written) * rates.input +
    cached * rates.cached +
    written * rates.written +
    (output - reasoning) * rates.output +
    reasoning * rates.reasoning;
  return millionths / 1_000_000;
}

/** The most that a call with this many tokens can cost in US dollars, whatever part of them is cached or reasoning. */
export function callCostMaxUsd(tokens: { input: number; output: number }, price: ModelPrice): number {
  const { input, cached, written, output, reasoning } = ratesOf(price, tokens.input);
  const millionths =
    tokens.input * Math.max(input, cached, written) + tokens.output * Math.max(output, reasoning);
  return millionths / 1_000_000;
}

function ratesOf(price: ModelPrice, inputTokens: number) {
  const { long_prompt: long } = price;
  const row = long !== undefined && inputTokens > long.above_input_tokens ? long : price;
  const input = row.input_cost_per_million_tokens;
  const output = row.output_cost_per_million_tokens;
  return {
    input,
    cached: row.cached_input_cost_per_million_tokens ?? input,
    written: row.cache_write_cost_per_million_tokens ?? input,
    output,
    reasoning: row.reasoning_cost_per_million_tokens ?? output,
  };
}
