import type { ProviderError } from './failure.js';
import type { ProviderMessage } from './provider-message.js';

/** The status that an error event would have had as an HTTP response. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_argument: 400,
  context_length_exceeded: 400,
  content_filter: 400,
  content_policy_violation: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  unauthenticated: 401,
  billing_error: 402,
  permission_error: 403,
  permission_denied: 403,
  not_found_error: 404,
  not_found: 404,
  timeout_error: 408,
  deadline_exceeded: 408,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  resource_exhausted: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  overloaded_error: 529,
};

/** An error event of a stream that had begun successfully: classified by its content. */
export function streamError(sent: ProviderMessage): ProviderError {
  const code = sent.code?.toLowerCase() ?? '';
  const numeric = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  return { ...sent, status: numeric ?? STATUSES[code] ?? 500 };
}
