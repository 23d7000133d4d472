/** Where each provider's API begins unless an account says otherwise; absent: the account must say. */
import { type ProviderKey, providerKeyOf } from '@agentclash/domain';

export const BASE_URLS: Readonly<Partial<Record<ProviderKey, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  xai: 'https://api.x.ai/v1',
  mistral: 'https://api.mistral.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
};

/**
 * The host that calls of an account go to, as secrets are bound to hosts: IPv6 addresses without brackets. Undefined
 * where the address is none, or the provider has none of its own.
 */
export function hostOfProvider({
  provider_key,
  base_url,
}: {
  provider_key: string;
  base_url?: string | undefined;
}): string | undefined {
  const key = providerKeyOf(provider_key);
  const address = base_url ?? (key && BASE_URLS[key]);
  if (address === undefined || !URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/^\[|\]$|\.$/g, '') || undefined;
}
