import type { IncomingMessage } from 'node:http';
import type { BusServer } from '@agentclash/bus';
import { ContractError } from '@agentclash/contracts';
import { InstrumentedRequest, LOGGER, type Logger, type NestLog, newId } from '@agentclash/service-kit';
import { routableAddress } from '@agentclash/web-assets';
import multipart from '@fastify/multipart';
import { type DynamicModule, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl } from '../access/access-control.js';
import { CONFIG, type Config } from '../config.js';
import { problemResponse } from '../http/problem.js';
import { BODY_BYTES_MAX } from '../http/request-body.js';
import { RouteResponse } from '../http/route-response.js';
import { serveWeb } from '../web/serve-web.js';
import { limitBodies } from './body-limits.js';
import { limitConnections, refuseMalformed, SECURITY_HEADERS } from './protocol-errors.js';

/** Time for a whole request to arrive: an upload on a slow line. */
const REQUEST_MS_MAX = 900_000;
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/;

/** Nest's Fastify adapter, which also sends responses with a status and headers of their own. */
class HttpAdapter extends FastifyAdapter {
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

interface ListenOptions {
  config: Config;
  /** The server of the bus, which the application runs too. */
  server: BusServer;
  log: NestLog;
}

/** Starts the gateway as one Nest application that serves HTTP and subscribes to the bus. */
export async function listen(
  module: DynamicModule,
  { config, server, log }: ListenOptions,
): Promise<NestFastifyApplication> {
  const options = { logger: log, bodyParser: false, abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(), options);
  try {
    app.connectMicroservice({ strategy: server });
    await app.init();
    await app.startAllMicroservices();
    await app.listen(config.HTTP_PORT, config.HTTP_HOST);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The hooks that every request passes before its handler. */
@Injectable()
export class RequestPipeline {
  constructor(
    private readonly host: HttpAdapterHost<HttpAdapter>,
    private readonly access: AccessControl,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async install(): Promise<void> {
    const { config, logger } = this;
    const { httpAdapter } = this.host;
    const http: FastifyInstance = httpAdapter.getInstance();
    limitConnections(httpAdapter.getHttpServer(), config.CONNECTIONS_MAX);
    readBodiesAsBytes(http);
    await http.register(multipart);
    instrument(http, logger);
    if (!(await serveWeb(http, config.WEB_FOLDER)))
      logger.warn({ folder: config.WEB_FOLDER }, 'web app is missing');
    if (config.CORS_ORIGINS.length > 0) httpAdapter.enableCors({ origin: config.CORS_ORIGINS, ...CORS });
    // After CORS: a browser of another origin must be able to read an error.
    await http.register(
      global(async (instance) => {
        admit(instance, this.access);
        limitBodies(instance, config);
      }),
    );
  }
}

const CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: [
    'x-request-id',
    'retry-after',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ],
};

/** A body is parsed only once its request is admitted; until then it is a bounded number of bytes. */
function readBodiesAsBytes(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) => {
    done(null, body);
  });
}

/** A plugin whose hooks apply to every route, as those of `fastify-plugin` do. */
function global(plugin: (instance: FastifyInstance) => Promise<void>): typeof plugin {
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

/** Refuses a request by its headers, before its body is read. */
function admit(http: FastifyInstance, access: AccessControl): void {
  http.addHook('onRequest', async (request, reply) => {
    const { rawHeaders } = request.raw;
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw new ContractError('unreadable', 'The request has more than one Host header.');
    await access.admit(request, reply);
  });
}

/** Identified by its route, never by its address. */
function instrumentedRequest({ id, method, headers, routeOptions }: FastifyRequest): InstrumentedRequest {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return new InstrumentedRequest({ id, method, route: routeOptions.url ?? 'none', header });
}

/** Adds the headers of every response and logs it: never the address, which may hold a signature, nor any content. */
function instrument(http: FastifyInstance, logger: Logger): void {
  const instrumented = new WeakMap<FastifyRequest, InstrumentedRequest>();
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    const started = instrumentedRequest(request);
    instrumented.set(request, started);
    started.within(done);
  });
  // The socket continues work in another context once a body has been read.
  http.addHook('preValidation', (request, _reply, done) => {
    instrumented.get(request)?.within(done);
  });
  http.addHook('onResponse', (request, reply, done) => {
    discardUnread(request);
    const started = instrumented.get(request);
    started?.end(reply.statusCode, reply.elapsedTime);
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        caller: request.caller?.name,
        workspace_id: request.workspace?.id,
        workspace_slug: request.workspace?.slug,
      },
      'request completed',
    );
    done();
  });
}

/** Time in which a client may continue to send after its response. */
const UNREAD_TIMEOUT_MS = 2_000;

/**
 * Discards the rest of a refused request, so that the client reads its response, and then ends the connection: an
 * unread body would hold it open.
 */
function discardUnread({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  const overdue = setTimeout(() => raw.destroy(), UNREAD_TIMEOUT_MS).unref();
  raw.once('close', () => clearTimeout(overdue));
  raw.once('end', () => clearTimeout(overdue));
  raw.unpipe();
  raw.resume();
}
