import type { BusServer } from '@agentclash/bus';
import { ContractError } from '@agentclash/contracts';
import { InstrumentedRequest, LOGGER, type Logger, type NestLog } from '@agentclash/service-kit';
import multipart from '@fastify/multipart';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { AccessControl } from '../tokens/access-control.js';
import { serveWeb } from '../web/serve-web.js';
import { limitBodies } from './body-limits.js';
import { Connections } from './connections.js';
import { HttpAdapter } from './http-adapter.js';
import { limitConnections } from './protocol-errors.js';
import { BODY_BYTES_MAX } from './request-body.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { discardUnread } from './unread-body.js';

export interface Wiring {
  config: Config;
  /** Hears the bus. */
  server: BusServer;
  log: NestLog;
  /** Called before the first request can come. */
  prepare: (app: INestApplicationContext) => Promise<void>;
}

/** The gateway as one Nest application that answers HTTP and hears the bus. */
export async function listen(module: DynamicModule, wiring: Wiring): Promise<NestFastifyApplication> {
  const { config, server, log, prepare } = wiring;
  const adapter = new HttpAdapter();
  const options = { logger: log, bodyParser: false, abortOnError: false };
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, options);
  try {
    const http = app.getHttpAdapter().getInstance();
    readBodiesAsBytes(http);
    await http.register(multipart);
    const logger = app.get(LOGGER, { strict: false });
    watch(http, logger);
    if (!(await serveWeb(http, config.WEB_FOLDER))) logger.warn({ folder: config.WEB_FOLDER }, 'no web app');
    app.get(Connections, { strict: false }).watch(app.getHttpServer());
    limitConnections(app.getHttpServer(), config.CONNECTIONS_MAX);
    await prepare(app);
    if (config.CORS_ORIGINS.length > 0) app.enableCors({ origin: config.CORS_ORIGINS, ...CORS });
    // After CORS: a browser of another origin must be able to read a refusal.
    await http.register(
      global(async (instance) => {
        admit(instance, app.get(AccessControl, { strict: false }));
        limitBodies(instance, config);
      }),
    );
    app.connectMicroservice({ strategy: server });
    await app.startAllMicroservices();
    await app.listen(config.HTTP_PORT, config.HTTP_HOST);
    return app;
  } catch (error) {
    await app.close();
    throw error;
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

/** A body is read only when its request has been let through; until then it is bytes of bounded number. */
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

/** Refuses a request by its headers before its body costs anything. */
function admit(http: FastifyInstance, access: AccessControl): void {
  http.addHook('onRequest', async (request, reply) => {
    const { rawHeaders } = request.raw;
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw new ContractError('unreadable', 'The request has more than one Host header.');
    await access.admit(request, reply);
  });
}

/** By its route: an address that has none is told by what it is not. */
function watchedRequest({ id, method, headers, routeOptions }: FastifyRequest): InstrumentedRequest {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return new InstrumentedRequest({ id, method, route: routeOptions.url ?? 'none', header });
}

/** Marks every answer and logs it: never its address, which may hold a signature, nor anything that was sent. */
function watch(http: FastifyInstance, logger: Logger): void {
  const watched = new WeakMap<FastifyRequest, InstrumentedRequest>();
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
    const started = watchedRequest(request);
    watched.set(request, started);
    started.within(done);
  });
  // What goes on once a body has been read belongs to the socket, not to the request any more.
  http.addHook('preValidation', (request, _reply, done) => {
    watched.get(request)?.within(done);
  });
  http.addHook('onResponse', (request, reply, done) => {
    discardUnread(request);
    const started = watched.get(request);
    started?.end(reply.statusCode, reply.elapsedTime);
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        token: request.caller?.name,
        workspace: request.workspace?.slug,
      },
      'request',
    );
    done();
  });
}
