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
  | 'egress_blocked'
  /** The secret of the account is bound to other origins. */
  | 'secret_binding';

interface FailureRow {
  retryable: boolean;
  outcome: 'provider_error' | 'limit_reached' | 'agent_error';
}

/** The consequences of each class for the call and for the attempt. */
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
  secret_binding: { retryable: false, outcome: 'provider_error' },
};

/** The reason of a failure that has no HTTP error status. */
export type CallFailureReason =
  | 'cut'
  | 'reset'
  | 'timeout'
  | 'undecodable'
  | 'blocked'
  | 'bound_elsewhere'
  | 'no_credential'
  | 'unknown_provider'
  | 'unsendable';

/** A secret that may not go where a request goes. */
export interface SecretBinding {
  /** Its name. */
  key: string | undefined;
  /** To which it may go. */
  origins: readonly string[];
  /** Of the request; undefined where a redirect leads to another one. */
  origin: string | undefined;
}

/** The known facts of a failed provider call; `code` and `message` are the provider's own. */
export interface ProviderError {
  status?: number;
  reason?: CallFailureReason;
  code?: string;
  message?: string;
  binding?: SecretBinding;
}

const REASON_CLASSES: Record<CallFailureReason, ProviderFailureClass> = {
  cut: 'unavailable',
  reset: 'unavailable',
  timeout: 'timeout',
  undecodable: 'malformed_response',
  blocked: 'egress_blocked',
  bound_elsewhere: 'secret_binding',
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

const CONTEXT_PHRASES = {
  codes: ['context_length_exceeded'],
  phrases: ['too long', 'context length', 'context window', 'maximum context'],
};
const FILTER_PHRASES = {
  codes: ['content_filter', 'content_policy_violation'],
  phrases: ['content_filter', 'content_policy_violation'],
};
const QUOTA_PHRASES = {
  codes: ['insufficient_quota'],
  phrases: ['insufficient_quota', 'credit', 'billing', 'quota exceeded'],
};

/** A 429 for a request that is larger than the account may ever send: waiting does not help. */
const TOO_LARGE_PHRASES = { codes: [], phrases: ['request too large', 'must be reduced in order to run'] };

/** Classifies a failed provider call: by its status, and by its text where the status is ambiguous. */
export function classifyProviderError(error: ProviderError): ProviderFailureClass {
  if (error.reason) return REASON_CLASSES[error.reason];
  const status = error.status ?? 0;
  const known = STATUS_CLASSES[status];
  if (known) return known;
  if (status === 429) return classifyRateLimit(error);
  if (status === 400 || status === 413 || status === 422) return classifyRejection(error);
  if (status >= 500) return 'unavailable';
  if (status >= 400) return 'invalid_request';
  return 'malformed_response';
}

function classifyRateLimit(error: ProviderError): ProviderFailureClass {
  if (mentions(error, TOO_LARGE_PHRASES)) return 'invalid_request';
  return mentions(error, QUOTA_PHRASES) ? 'quota' : 'rate_limit';
}

function classifyRejection(error: ProviderError): ProviderFailureClass {
  if (mentions(error, CONTEXT_PHRASES)) return 'context_length';
  return mentions(error, FILTER_PHRASES) ? 'content_filter' : 'invalid_request';
}

function mentions(error: ProviderError, phrases: { codes: string[]; phrases: string[] }): boolean {
  if (error.code && phrases.codes.includes(error.code.toLowerCase())) return true;
  const message = (error.message ?? '').toLowerCase();
  return phrases.phrases.some((phrase) => message.includes(phrase));
}
