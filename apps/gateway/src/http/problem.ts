import type { ProblemDocument } from '@agentclash/api';
import { ContractError, ERRORS, type ErrorCode } from '@agentclash/contracts';

/** Seconds until a retry makes sense. */
const RETRY_AFTER_SECONDS = 1;

export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  document: ProblemDocument;
}

/** The error response (RFC 9457) for any thrown value. For a bug it reveals nothing. */
export function problemResponse(error: unknown, requestId: string): ProblemResponse {
  const { code, message, details } = knownError(error) ?? internal();
  const { http: status, title, retry } = ERRORS[code];
  const { retry_after = RETRY_AFTER_SECONDS, allow, ...facts } = details;
  const isRetryable = retry && status !== 500;
  return {
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      ...(isRetryable && { 'retry-after': String(retry_after) }),
      ...(Array.isArray(allow) && { allow: allow.join(', ') }),
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="agentclash"' }),
    },
    document: {
      ...facts,
      type: `urn:agentclash:problem:${code}`,
      title,
      status,
      code,
      detail: message,
      request_id: requestId,
    },
  };
}

/** Whether the error is unexpected: it is logged with its cause. */
export function isBug(error: unknown): boolean {
  const known = knownError(error);
  return known === undefined || known.code === 'internal';
}

const BY_STATUS: Readonly<Record<number, { code: ErrorCode; message: string }>> = {
  404: { code: 'not_found', message: 'It does not exist.' },
  413: { code: 'too_large', message: 'The body is too large.' },
  414: { code: 'not_found', message: 'It does not exist.' },
  415: { code: 'unsupported_media_type', message: 'The content type of the body is not accepted here.' },
  503: { code: 'unavailable', message: 'The server is stopping. Try again.' },
};

function knownError(error: unknown): ContractError | undefined {
  if (error instanceof ContractError) return error.code === 'internal' ? internal() : error;
  const status = statusOf(error);
  const known = BY_STATUS[status];
  if (known !== undefined) return new ContractError(known.code, known.message);
  if (status < 400 || status >= 500) return undefined;
  return new ContractError('unreadable', 'The request could not be parsed.');
}

function internal(): ContractError {
  return new ContractError(
    'internal',
    'An internal error occurred. The log has its cause under the request id.',
  );
}

/** The status that the framework gives its own errors; 500 for all others. */
function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500;
  if ('getStatus' in error && typeof error.getStatus === 'function') return Number(error.getStatus());
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
}
