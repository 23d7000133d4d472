import { ContractError } from '@agentclash/contracts';
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
import { isBug, problemResponse } from './problem.js';
import { BODY_BYTES_MAX, packTooLarge } from './request-body.js';
import { routesAt } from './route-table.js';

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
