/** The default base URL of each provider; accounts of the others must set one. */
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
 * The origin that calls of an account go to, for the binding of secrets to origins. Undefined for an invalid address,
 * or without one.
 */
export function originOfProvider({
  provider_key,
  base_url,
}: {
  provider_key: string;
  base_url?: string | undefined;
}): string | undefined {
  const key = providerKeyOf(provider_key);
  const address = base_url ?? (key && BASE_URLS[key]);
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/\.$/, '');
  return host === '' ? undefined : `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}
