import type { IncomingMessage } from 'node:http';
import { newId } from '@agentclash/service-kit';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemResponse } from '../http/problem.js';
import { BODY_BYTES_MAX } from '../http/request-body.js';
import { RouteResponse } from '../http/route-response.js';
import { routableAddress } from '../web/screen-address.js';
import { refuseMalformed, SECURITY_HEADERS } from './protocol-errors.js';

/** Time for a whole request to arrive: an upload on a slow line. */
const REQUEST_MS_MAX = 900_000;
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/;

/** Nest's Fastify adapter, which also sends responses with a status and headers of their own. */
export class HttpAdapter extends FastifyAdapter {
  constructor() {
    super({
      bodyLimit: BODY_BYTES_MAX,
      requestTimeout: REQUEST_MS_MAX,
      // A HEAD request for a live stream would hold the stream open without a reader.
      exposeHeadRoutes: false,
      routerOptions: { maxParamLength: 512 },
      clientErrorHandler: refuseMalformed,
      requestIdHeader: false,
      genReqId: (request: IncomingMessage) => {
        const given = request.headers['x-request-id'];
        return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
      },
      rewriteUrl: ({ url = '/' }: IncomingMessage) => routableAddress(url),
      // An address of the API that cannot be decoded reaches no hook and no filter.
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
        const { status, headers, document } = problemResponse(error, request.id);
        const all = { ...SECURITY_HEADERS, ...headers, 'x-request-id': request.id };
        void reply.status(status).headers(all).send(JSON.stringify(document));
      },
    });
  }

  override reply(response: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (!(body instanceof RouteResponse)) return super.reply(response, body, status);
    response.headers(body.options.headers ?? {});
    return super.reply(response, body.content, body.options.status ?? status);
  }
}
