import type { ProviderKey } from '@agentclash/domain';
import type { JSONObject, LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { UsageDialect } from './usage-of.js';

/** The settings of an SDK. All are explicit: an SDK reads missing ones from the environment. */
interface ProviderSettings {
  model: string;
  baseURL: string;
  /** Empty when the account has none. */
  apiKey: string;
  fetch: typeof globalThis.fetch;
}

export interface Provider {
  needsCredential: boolean;
  usage: UsageDialect;
  /** Loads the provider's SDK at the first call. */
  open(settings: ProviderSettings): Promise<LanguageModelV3>;
  /** The options of a reasoning effort; undefined for one that the provider does not know. */
  reasoning(effort: string, model: string): SharedV3ProviderOptions | undefined;
  /** Options of every call. */
  always?: SharedV3ProviderOptions;
}

/** The providers by key. An SDK is loaded by the first call that needs it. */
export const PROVIDERS: Record<ProviderKey, Provider> = {
  openai: {
    needsCredential: true,
    usage: 'openai',
    // Chat completions, not responses: stateless, seeded, and supported by compatible servers too.
    open: async ({ model, ...settings }) =>
      (await import('@ai-sdk/openai')).createOpenAI(settings).chat(model),
    reasoning: among(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'], (effort) => ({
      openai: { reasoningEffort: effort },
    })),
    // Strict mode supports a subset of JSON Schema, which an authored schema may exceed.
    always: { openai: { strictJsonSchema: false } },
  },
  anthropic: {
    needsCredential: true,
    usage: 'anthropic',
    open: async ({ model, ...settings }) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(settings).chat(model),
    reasoning: among(['low', 'medium', 'high', 'xhigh', 'max'], (effort) => ({ anthropic: { effort } })),
  },
  google: {
    needsCredential: true,
    usage: 'google',
    open: async ({ model, ...settings }) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings).chat(model),
    reasoning: among(['minimal', 'low', 'medium', 'high'], (effort, model) => ({
      google: { thinkingConfig: thinkingOf(effort, model) },
    })),
  },
  xai: {
    needsCredential: true,
    usage: 'openai',
    open: async ({ model, ...settings }) => (await import('@ai-sdk/xai')).createXai(settings).chat(model),
    reasoning: among(['none', 'low', 'medium', 'high', 'xhigh'], (effort) => ({
      xai: { reasoningEffort: effort },
    })),
  },
  mistral: {
    needsCredential: true,
    usage: 'openai',
    open: async ({ model, ...settings }) =>
      (await import('@ai-sdk/mistral')).createMistral(settings).chat(model),
    reasoning: among(['none', 'high'], (effort) => ({ mistral: { reasoningEffort: effort } })),
  },
  openrouter: {
    needsCredential: true,
    usage: 'openai',
    open: openCompatible,
    reasoning: (effort) => ({ openaiCompatible: { reasoningEffort: effort } }),
    always: { openaiCompatible: { strictJsonSchema: false } },
  },
  openai_compatible: {
    needsCredential: false,
    usage: 'openai',
    open: openCompatible,
    reasoning: (effort) => ({ openaiCompatible: { reasoningEffort: effort } }),
    always: { openaiCompatible: { strictJsonSchema: false } },
  },
};

export function isCredentialNeeded(key: ProviderKey): boolean {
  return PROVIDERS[key].needsCredential;
}

async function openCompatible({ model, ...settings }: ProviderSettings): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    ...settings,
    name: 'openaiCompatible',
    includeUsage: true,
    supportsStructuredOutputs: true,
  }).chatModel(model);
}

function among(efforts: readonly string[], options: Provider['reasoning']): Provider['reasoning'] {
  return (effort, model) => (efforts.includes(effort) ? options(effort, model) : undefined);
}

// Models before Gemini 3 count thinking in tokens.
const THINKING_BUDGETS: Record<string, number> = { minimal: 512, low: 1_024, medium: 8_192, high: 24_576 };

function thinkingOf(effort: string, model: string): JSONObject {
  const budget = /gemini-[12]\b/.test(model) ? THINKING_BUDGETS[effort] : undefined;
  const amount = budget === undefined ? { thinkingLevel: effort } : { thinkingBudget: budget };
  return { ...amount, includeThoughts: true };
}
