import { classifyDatabaseError, LOGGER, type Logger } from '@agentclash/service-kit';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { meaningOf } from './framework-errors.js';
import { isBug, problemResponse } from './problem.js';

/** Answers every failed request with a problem document and logs the bugs. */
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
