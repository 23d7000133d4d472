import type { ProviderFailureClass } from './failure.js';

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
};

/** The message for users about a failed call. Nothing in it comes from the provider. */
export function failureSentence(failure: ProviderFailureClass, providerKey: string): string {
  return `${providerKey}: ${SENTENCES[failure]}`;
}
