import type { ProviderFailureClass, SecretBinding } from './failure.js';

const SENTENCES: Record<ProviderFailureClass, string> = {
  auth: 'the credential is missing or was refused: check the credential of the provider account',
  quota: 'the account has no credit or quota left at the provider',
  rate_limit: 'the provider accepts no more calls right now',
  timeout: 'the model did not finish in time',
  unavailable: 'the provider could not be reached, or its response broke off',
  malformed_response: 'the response of the provider cannot be decoded',
  context_length: 'the conversation is longer than the context of the model',
  content_filter: 'the provider withheld the reply or refused the content',
  invalid_request:
    'the provider refused the request: check the name of the model, its sampling and the base_url',
  unsupported: 'this provider, or a requested feature of it, is not supported',
  egress_blocked: 'the address of the provider may not be used here; see base_url and OPERATOR_UNLOCK',
  secret_binding: 'the secret of the provider account is bound to other origins',
};

/** The message for users about a failed call. Nothing in it comes from the provider. */
export function failureSentence(
  failure: ProviderFailureClass,
  { providerKey, binding }: { providerKey: string; binding?: SecretBinding | undefined },
): string {
  const sentence = binding ? bindingSentence(binding, 'base_url') : SENTENCES[failure];
  return `${providerKey}: ${sentence}`;
}

/** The way to let a secret go where a request goes, for users; `setting` names the URL of the request. */
export function bindingSentence({ key, origins, origin }: SecretBinding, setting: string): string {
  const bound = `the secret${key === undefined ? '' : ` ${key}`} is bound to ${origins.join(', ')}`;
  if (origin === undefined) return `${bound}, and the request was redirected to another origin`;
  const command = `agentclash secret set ${key ?? 'KEY'} --host ${origin}`;
  return `${bound}, and the request goes to ${origin}: bind it with "${command}", or correct ${setting}`;
}
