/** The providers at which models are called. */
export const PROVIDER_KEYS = [
  'openai',
  'anthropic',
  'google',
  'xai',
  'mistral',
  'openrouter',
  'openai_compatible',
] as const;
export type ProviderKey = (typeof PROVIDER_KEYS)[number];

/** Other spellings that requests may use; stored accounts have the key. */
const PROVIDER_ALIASES = { gemini: 'google', custom: 'openai_compatible' } as const satisfies Record<
  string,
  ProviderKey
>;
type ProviderSpelling = keyof typeof PROVIDER_ALIASES;
export const PROVIDER_SPELLINGS = Object.keys(PROVIDER_ALIASES) as ['gemini', 'custom'];

const BY_SPELLING: ReadonlyMap<string, ProviderKey> = new Map([
  ...PROVIDER_KEYS.map((key): [string, ProviderKey] => [key, key]),
  ...Object.entries(PROVIDER_ALIASES),
]);

/** The provider that a key or another spelling of it names; undefined for any other text. */
export function providerKeyOf(spelling: ProviderKey | ProviderSpelling): ProviderKey;
export function providerKeyOf(spelling: string): ProviderKey | undefined;
export function providerKeyOf(spelling: string): ProviderKey | undefined {
  return BY_SPELLING.get(spelling);
}

/** The default base URL of each provider; accounts of the others must set one. */
export const BASE_URLS: Readonly<Partial<Record<ProviderKey, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  xai: 'https://api.x.ai/v1',
  mistral: 'https://api.mistral.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
};
