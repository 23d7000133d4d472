import { canonicalProvider } from './providers.js';
import type { PriceRow } from './types.js';

/** Token figures of a call; null and undefined are unreported. */
export interface PricedUsage {
  readonly input?: number | null;
  readonly output?: number | null;
  readonly cached_input?: number | null;
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
export function callCostUsd(usage: PricedUsage, row: PriceRow): number | undefined {
  if (usage.input == null && usage.output == null) return undefined;
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  // Providers count cached tokens within the input and reasoning tokens within the output.
  const cached = Math.min(usage.cached_input ?? 0, input);
  const reasoning = Math.min(usage.reasoning ?? 0, output);
  const inputRate = row.input_cost_per_million_tokens;
  const outputRate = row.output_cost_per_million_tokens;
  const millionths =
    (input - cached) * inputRate +
    cached * (row.cached_input_cost_per_million_tokens ?? inputRate) +
    (output - reasoning) * outputRate +
    reasoning * (row.reasoning_cost_per_million_tokens ?? outputRate);
  return millionths / 1_000_000;
}
