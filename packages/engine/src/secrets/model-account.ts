import type { ModelConnection } from '@agentclash/attempt-plan';
import type { Credential, ModelAccount } from '@agentclash/models';
import { type CredentialContext, openCredential } from './opened-secrets.js';

type AccountContext = Omit<CredentialContext, 'signal'>;

/** Refused by every provider that needs a credential, as one that is not there. */
const MISSING: Credential = { reveal: () => '', origins: null };

/** The account of a pinned model. Its credential is opened again for each call. */
export function accountOf(connection: Omit<ModelConnection, 'model'>, context: AccountContext): ModelAccount {
  const { provider_account_id: id, provider_key: providerKey, credential_reference: reference } = connection;
  if (id === undefined) throw new Error(`the model of ${providerKey} was pinned without its account`);
  const { base_url: baseUrl, pricing } = connection;
  return {
    id,
    providerKey,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(pricing && { pricing }),
    ...(reference !== undefined && {
      openCredential: async (signal) => (await openCredential(reference, { ...context, signal })) ?? MISSING,
    }),
  };
}
