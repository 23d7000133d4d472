import { BASE_URLS, type ProviderKey, providerKeyOf } from '@agentclash/domain';
import type { ModelAccount } from '../model/account.js';
import { CallAttemptError } from './call-attempt-error.js';

/** A provider and the address that an account uses. */
export interface ProviderEndpoint {
  providerKey: ProviderKey;
  baseURL: string;
}

/** Throws CallAttemptError for an unknown provider, and for one without an address. */
export function providerEndpointOf({ providerKey: key, baseUrl }: ModelAccount): ProviderEndpoint {
  const providerKey = providerKeyOf(key);
  if (providerKey === undefined) throw new CallAttemptError({ reason: 'unknown_provider' });
  const baseURL = baseUrl ?? BASE_URLS[providerKey];
  if (baseURL === undefined)
    throw new CallAttemptError({ reason: 'unsendable', message: 'there is no base_url' });
  return { providerKey, baseURL };
}
