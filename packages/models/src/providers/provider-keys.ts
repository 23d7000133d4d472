/** The providers that can be called, by the key of their accounts. */
export const MODEL_PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'xai',
  'mistral',
  'openrouter',
  'openai_compatible',
] as const;
export type ProviderKey = (typeof MODEL_PROVIDERS)[number];

const ALIASES: Readonly<Record<string, ProviderKey>> = { gemini: 'google', custom: 'openai_compatible' };

/** The provider that a key or one of its aliases names; undefined for any other. */
export function providerKeyOf(key: string): ProviderKey | undefined {
  return MODEL_PROVIDERS.find((known) => known === key) ?? ALIASES[key];
}
