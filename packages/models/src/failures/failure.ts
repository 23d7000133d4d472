/** Classes of a failed call to a model provider (execution 3.3). */
export type ProviderFailureClass =
  | 'auth'
  | 'quota'
  | 'rate_limit'
  | 'timeout'
  | 'unavailable'
  | 'malformed_response'
  | 'context_length'
  | 'content_filter'
  | 'invalid_request'
  | 'unsupported'
  | 'egress_blocked';

interface FailureRow {
  retryable: boolean;
  outcome: 'provider_error' | 'limit_reached' | 'agent_error';
}

/** What each class means for the call and for the attempt. */
export const PROVIDER_FAILURES: Record<ProviderFailureClass, FailureRow> = {
  auth: { retryable: false, outcome: 'provider_error' },
  quota: { retryable: false, outcome: 'provider_error' },
  rate_limit: { retryable: true, outcome: 'provider_error' },
  timeout: { retryable: true, outcome: 'provider_error' },
  unavailable: { retryable: true, outcome: 'provider_error' },
  malformed_response: { retryable: true, outcome: 'provider_error' },
  context_length: { retryable: false, outcome: 'limit_reached' },
  content_filter: { retryable: false, outcome: 'agent_error' },
  invalid_request: { retryable: false, outcome: 'provider_error' },
  unsupported: { retryable: false, outcome: 'provider_error' },
  egress_blocked: { retryable: false, outcome: 'provider_error' },
};

/** A fault that no HTTP status tells. */
export type ProviderFault =
  | 'cut'
  | 'reset'
  | 'timeout'
  | 'undecodable'
  | 'blocked'
  | 'no_credential'
  | 'unknown_provider'
  | 'unsendable';

/** What is known of a failed provider call; `code` and `message` are the provider's own words. */
export interface ProviderError {
  status?: number;
  fault?: ProviderFault;
  code?: string;
  message?: string;
}

const FAULT_CLASSES: Record<ProviderFault, ProviderFailureClass> = {
  cut: 'unavailable',
  reset: 'unavailable',
  timeout: 'timeout',
  undecodable: 'malformed_response',
  blocked: 'egress_blocked',
  no_credential: 'auth',
  unknown_provider: 'unsupported',
  unsendable: 'invalid_request',
};

const STATUS_CLASSES: Record<number, ProviderFailureClass> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  408: 'timeout',
  409: 'unavailable',
  425: 'unavailable',
  501: 'unsupported',
  529: 'rate_limit',
};

const CONTEXT_WORDS = {
  codes: ['context_length_exceeded'],
  phrases: ['too long', 'context length', 'context window', 'maximum context'],
};
const FILTER_WORDS = {
  codes: ['content_filter', 'content_policy_violation'],
  phrases: ['content_filter', 'content_policy_violation'],
};
const QUOTA_WORDS = {
  codes: ['insufficient_quota'],
  phrases: ['insufficient_quota', 'credit', 'billing', 'quota exceeded'],
};

/** Sorts a failed provider call into its class: the status decides, its text only where the status leaves a choice. */
export function classifyProviderError(error: ProviderError): ProviderFailureClass {
  if (error.fault) return FAULT_CLASSES[error.fault];
  const status = error.status ?? 0;
  const known = STATUS_CLASSES[status];
  if (known) return known;
  if (status === 429) return says(error, QUOTA_WORDS) ? 'quota' : 'rate_limit';
  if (status === 400 || status === 413 || status === 422) return classifyRefusal(error);
  if (status >= 500) return 'unavailable';
  if (status >= 400) return 'invalid_request';
  return 'malformed_response';
}

function classifyRefusal(error: ProviderError): ProviderFailureClass {
  if (says(error, CONTEXT_WORDS)) return 'context_length';
  return says(error, FILTER_WORDS) ? 'content_filter' : 'invalid_request';
}

function says(error: ProviderError, words: { codes: string[]; phrases: string[] }): boolean {
  if (error.code && words.codes.includes(error.code.toLowerCase())) return true;
  const message = (error.message ?? '').toLowerCase();
  return words.phrases.some((phrase) => message.includes(phrase));
}
