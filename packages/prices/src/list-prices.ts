import { readFileSync } from 'node:fs';
import type { ModelPrice } from '@agentclash/challengepack';
import { PROVIDER_KEYS, type ProviderKey } from '@agentclash/domain';
import { parse } from 'yaml';
import { z } from 'zod';

const FILE = new URL('../data/list-prices.yaml', import.meta.url);

/** US dollars per million tokens. A list price is never 0: a model that costs nothing is priced by its account. */
const Rate = z.number().positive().max(10_000);
const RATES = {
  input: Rate,
  cached_input: Rate.optional(),
  cache_write: Rate.optional(),
  output: Rate,
  reasoning: Rate.optional(),
};

const LongPrompt = z.strictObject({ above_input_tokens: z.number().int().positive(), ...RATES });
const ListPrices = z.partialRecord(
  z.enum(PROVIDER_KEYS),
  z.strictObject({
    as_of: z.iso.date(),
    source: z.httpUrl(),
    models: z.record(
      z.string().regex(/^[\w.:/-]+$/),
      z.strictObject({ ...RATES, long_prompt: LongPrompt.optional() }),
    ),
  }),
);
type Rates = z.infer<z.ZodObject<typeof RATES>>;

/** The list prices of one provider. */
export interface ProviderPrices {
  provider_key: ProviderKey;
  /** The last day for which they are known to hold, as YYYY-MM-DD. */
  as_of: string;
  /** The page that has them. */
  source: string;
  /** In the order of the file. */
  models: readonly ModelPrice[];
}

/** Reads a list of prices. Throws an error that names the place of every violation. */
export function parseListPrices(text: string): ProviderPrices[] {
  // Timestamps stay texts, and repeated keys are errors: both are the defaults of YAML 1.2.
  const read = ListPrices.safeParse(parse(text));
  if (!read.success) throw new Error(`the list prices are invalid: ${z.prettifyError(read.error)}`);
  return PROVIDER_KEYS.flatMap((provider_key) => {
    const listed = read.data[provider_key];
    if (listed === undefined) return [];
    const models = Object.entries(listed.models).map(
      ([provider_model_id, { long_prompt: long, ...rates }]): ModelPrice => ({
        provider_key,
        provider_model_id,
        ...ratesOf(rates),
        ...(long && { long_prompt: { above_input_tokens: long.above_input_tokens, ...ratesOf(long) } }),
      }),
    );
    return [{ provider_key, as_of: listed.as_of, source: listed.source, models }];
  });
}

let known: readonly ProviderPrices[] | undefined;

/** The list prices that this release has. Read once. */
export function listPrices(): readonly ProviderPrices[] {
  known ??= parseListPrices(readFileSync(FILE, 'utf8'));
  return known;
}

function ratesOf({ input, cached_input: cached, cache_write: written, output, reasoning }: Rates) {
  return {
    input_cost_per_million_tokens: input,
    ...(cached !== undefined && { cached_input_cost_per_million_tokens: cached }),
    ...(written !== undefined && { cache_write_cost_per_million_tokens: written }),
    output_cost_per_million_tokens: output,
    ...(reasoning !== undefined && { reasoning_cost_per_million_tokens: reasoning }),
  };
}
