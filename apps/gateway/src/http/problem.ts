import type { ProblemDocument } from '@agentclash/api';
import { ContractError, ERRORS, type ErrorCode } from '@agentclash/contracts';
import { classifyDatabaseError, LOGGER, type Logger } from '@agentclash/service-kit';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  HttpStatus,
  Inject,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BODY_BYTES_MAX, packTooLarge } from './request-body.js';
import { routesAt } from './route-table.js';

/** Seconds until a retry makes sense. */
const RETRY_AFTER_SECONDS = 1;

interface ProblemResponse {
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

/** True when the error is unexpected: it is logged with its cause. */
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

/** Responds to every failed request with a problem document and logs the bugs. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const error = meaningOf(classifyDatabaseError(thrown) ?? thrown, request);
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (isBug(error)) this.logger.error({ request_id: request.id, err: error }, 'request failed');
    const { status, headers, document } = problemResponse(error, request.id);
    if (reply.sent) return;
    void reply.status(status).headers(headers).send(JSON.stringify(document));
  }
}

/** The API's error for an error of the framework; other errors are returned unchanged. */
function meaningOf(error: unknown, { method, url }: { method: string; url: string }): unknown {
  if (!(error instanceof HttpException)) return error;
  if (error.getStatus() === HttpStatus.NOT_FOUND) return notServed(method, url) ?? error;
  if (error.getStatus() === HttpStatus.PAYLOAD_TOO_LARGE) return bodyTooLarge(method, url) ?? error;
  return error;
}

function notServed(method: string, url: string): ContractError | undefined {
  const allow = [...new Set(routesAt(url).map((route) => route.method))].sort();
  if (allow.length === 0) return undefined;
  return new ContractError(
    'method_not_allowed',
    `${method} is not allowed here; allowed: ${allow.join(', ')}.`,
    {
      allow,
    },
  );
}

/** Uploads have a separate limit. */
function bodyTooLarge(method: string, url: string): ContractError | undefined {
  const body = routesAt(url).find((route) => route.method === method)?.body;
  if (body === undefined || body === 'upload') return undefined;
  if (body === 'pack') return packTooLarge();
  return new ContractError('too_large', `The body has more than ${BODY_BYTES_MAX} bytes (1 MiB).`);
}
