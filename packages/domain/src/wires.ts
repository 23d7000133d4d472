import type { ProviderKey } from './provider-key.js';

/** The HTTP protocols of models that programs use: Anthropic Messages, OpenAI Chat Completions and Responses, Gemini. */
export const WIRE_KEYS = ['anthropic', 'chat', 'responses', 'google'] as const;
export type WireKey = (typeof WIRE_KEYS)[number];

/** The protocols that each provider serves below the base URL of its accounts. */
export const WIRES_OF_PROVIDER: Readonly<Record<ProviderKey, readonly WireKey[]>> = {
  openai: ['responses', 'chat'],
  anthropic: ['anthropic'],
  google: ['google'],
  xai: ['chat', 'responses'],
  mistral: ['chat'],
  openrouter: ['chat', 'responses', 'anthropic'],
  // Servers of one's own; most serve both.
  openai_compatible: ['chat', 'responses'],
};
