import { isRecord, type Usage } from '@agentclash/domain';
import type { LanguageModelV3Usage } from '@ai-sdk/provider';

/** The names of token counts in a family of APIs; each list is tried in order. */
type Spelling = Record<keyof Usage, readonly string[]>;

/** The API family whose names a usage report uses. */
export type UsageDialect = 'openai' | 'anthropic' | 'google';

const SPELLINGS: Record<UsageDialect, Spelling> = {
  openai: {
    input: ['prompt_tokens'],
    output: ['completion_tokens'],
    total: ['total_tokens'],
    cached_input: [
      'prompt_tokens_details.cached_tokens',
      'prompt_token_details.cached_tokens',
      'num_cached_tokens',
    ],
    cache_write: ['prompt_tokens_details.cache_write_tokens'],
    reasoning: ['completion_tokens_details.reasoning_tokens'],
  },
  anthropic: {
    input: ['input_tokens'],
    output: ['output_tokens'],
    total: [],
    cached_input: ['cache_read_input_tokens'],
    cache_write: ['cache_creation_input_tokens'],
    reasoning: ['output_tokens_details.thinking_tokens'],
  },
  google: {
    input: ['promptTokenCount'],
    output: ['candidatesTokenCount', 'thoughtsTokenCount'],
    total: ['totalTokenCount'],
    cached_input: ['cachedContentTokenCount'],
    cache_write: [],
    reasoning: ['thoughtsTokenCount'],
  },
};

/**
 * Token counts as reported. Input includes cached tokens and output includes reasoning for every provider; the
 * SDK's zeros for unreported counts become null.
 */
export function usageOf(usage: LanguageModelV3Usage, dialect: UsageDialect): Usage {
  const spelling = SPELLINGS[dialect];
  const reported = (field: keyof Usage) => firstNumber(usage.raw, spelling[field]);
  return {
    input: reported('input') === null ? null : (usage.inputTokens.total ?? null),
    output: reported('output') === null ? null : (usage.outputTokens.total ?? null),
    total: reported('total'),
    cached_input: reported('cached_input'),
    cache_write: reported('cache_write'),
    reasoning: reported('reasoning'),
  };
}

function firstNumber(raw: unknown, paths: readonly string[]): number | null {
  const values = paths.map((path) =>
    path
      .split('.')
      .reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), raw),
  );
  return values.find((value) => typeof value === 'number') ?? null;
}
