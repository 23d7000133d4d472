import { BASE_URLS, providerKeyOf } from '@agentclash/domain';

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
