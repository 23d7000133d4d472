import {
  Bus,
  BusConnection,
  BusServer,
  type Concurrency,
  checkHandlers,
  provisionStreams,
} from '@agentclash/bus';
import { ACCESS, type Access, ContractError, type ServiceName } from '@agentclash/contracts';
import type {
  DynamicModule,
  INestApplication,
  INestApplicationContext,
  INestMicroservice,
  Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DestinationStream } from 'pino';
import { HealthServer, type ReadinessCheck } from './health.js';
import { KitModule } from './kit.module.js';
import { createLogger, type Logger, type LogLevel, NestLog } from './logging.js';
import { busInstrumentation, countDeadLetter } from './telemetry/bus-instrumentation.js';
import { metrics } from './telemetry/metrics.js';
import { openTelemetry, type Telemetry, type TelemetrySettings } from './telemetry/telemetry.js';

/** What every service's config holds; see `serviceEnvironment`. */
export interface ServiceConfig extends TelemetrySettings {
  NATS_URL: string[];
  NATS_USER?: string | undefined;
  NATS_PASSWORD?: string | undefined;
  NATS_NKEY_SEED?: string | undefined;
  /** Servers that keep each stream, where this service makes them. Default 1. */
  NATS_STREAM_REPLICAS?: number | undefined;
  LOG_LEVEL: LogLevel;
  HEALTH_PORT: number;
  HEALTH_HOST: string;
}

/** What a service is built with. */
export interface Kit {
  bus: Bus;
  connection: BusConnection;
  logger: Logger;
}

export interface ServiceDefinition {
  name: ServiceName;
  /** The classes of handlers and listeners, for the check that every owned message has exactly one. */
  handlers: Type[];
  module: (kit: Kit) => DynamicModule;
  /** How many jobs and events of one subject an instance works on at once. Default 8. */
  concurrency?: Concurrency;
  readiness?: (app: INestApplicationContext) => Record<string, ReadinessCheck>;
  /** Makes the Nest application; the default serves the bus only. */
  create?: (module: DynamicModule, server: BusServer, log: NestLog) => Promise<INestApplication>;
  /** Called first at shutdown, before the bus is left: stop what would keep handlers busy. */
  onClosing?: (app: INestApplicationContext) => Promise<void> | void;
}

export interface StartOptions {
  /** Where log lines go; default: standard output. */
  logTo?: DestinationStream;
  /** What traces call the process; default: after the service. */
  processName?: string;
}

export interface RunningService {
  name: ServiceName;
  app: INestApplicationContext;
  healthPort: number;
  /** Undefined where figures are not collected. */
  metricsPort: number | undefined;
  readiness: Record<string, ReadinessCheck>;
  /** Drains: takes nothing new, finishes what runs, then leaves the bus. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts one service: connects to the bus, refuses to go on when a message it owns has no handler or two, builds the
 * module, listens, answers health checks.
 */
export async function startService(
  definition: ServiceDefinition,
  config: ServiceConfig,
  options: StartOptions = {},
): Promise<RunningService> {
  const { name } = definition;
  const access: Access = ACCESS[name];
  checkHandlers(name, access.serves, definition.handlers);
  const logger = createLogger(name, config.LOG_LEVEL, options.logTo);
  const telemetry = await openTelemetry(options.processName ?? `agentclash-${name}`, config, logger);
  const connection = await BusConnection.open({
    name,
    servers: config.NATS_URL,
    ...(config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? '' }),
    ...(config.NATS_NKEY_SEED !== undefined && { nkeySeed: config.NATS_NKEY_SEED }),
  });
  let app: INestApplication | INestMicroservice | undefined;
  try {
    void connection.watch((status, detail) => logger.warn({ status, detail }, 'bus connection'));
    if (access.provisions) await provision(connection, config.NATS_STREAM_REPLICAS ?? 1);
    const kit: Kit = { bus: new Bus(connection, busInstrumentation), connection, logger };
    const concurrency = definition.concurrency ?? 8;
    const server = new BusServer(connection, {
      concurrency,
      logger,
      instrumentation: busInstrumentation,
      onDeadLetter: countDeadLetter,
    });
    app = await createApp(
      definition,
      KitModule.with(kit, definition.module(kit)),
      server,
      new NestLog(logger),
    );
    const readiness = {
      bus: () => (connection.isConnected ? undefined : 'disconnected'),
      ...definition.readiness?.(app),
    };
    const health = new HealthServer(readiness);
    const healthPort = await health.listen(config.HEALTH_HOST, config.HEALTH_PORT);
    const { metricsPort } = telemetry;
    logger.info({ healthPort, metricsPort }, 'started');
    return {
      name,
      app,
      healthPort,
      metricsPort,
      readiness,
      close: closer({ definition, app, health, connection, logger, telemetry, unwatch: watchQueues(server) }),
    };
  } catch (error) {
    if (app !== undefined) await abandon(definition, app);
    await connection.close();
    await telemetry.close();
    throw error;
  }
}

async function createApp(
  definition: ServiceDefinition,
  module: DynamicModule,
  server: BusServer,
  log: NestLog,
): Promise<INestApplication | INestMicroservice> {
  if (definition.create !== undefined) return await definition.create(module, server, log);
  const app = await NestFactory.createMicroservice(module, {
    strategy: server,
    logger: log,
    abortOnError: false,
  });
  try {
    await app.listen();
    return app;
  } catch (error) {
    await abandon(definition, app);
    throw error;
  }
}

/** What was begun before the start failed would go on and keep the process alive; that failure is the one to tell. */
async function abandon(
  { onClosing }: ServiceDefinition,
  app: INestApplication | INestMicroservice,
): Promise<void> {
  try {
    await onClosing?.(app);
  } catch {
    // it was not all there yet
  }
  await app.close();
}

async function provision(connection: BusConnection, replicas: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await provisionStreams(await connection.jetstreamManager(), replicas);
      return;
    } catch (cause) {
      if (Date.now() > deadline) {
        throw new ContractError(
          'unavailable',
          'The bus does not let the streams be made: is JetStream on?',
          {},
          { cause },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

interface Parts {
  definition: ServiceDefinition;
  app: INestApplicationContext;
  health: HealthServer;
  connection: BusConnection;
  logger: Logger;
  telemetry: Telemetry;
  unwatch: () => void;
}

function closer({
  definition,
  app,
  health,
  connection,
  logger,
  telemetry,
  unwatch,
}: Parts): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async () => {
    logger.info('stopping');
    health.drain();
    await definition.onClosing?.(app);
    await app.close();
    await health.close();
    unwatch();
    await connection.close();
    await telemetry.close();
    logger.info('stopped');
  };
  return () => {
    closing ??= close();
    return closing;
  };
}

/** Has the depth of every queue that this service takes from be read when figures are collected. */
function watchQueues(server: BusServer): () => void {
  const read = (figure: 'pending' | 'unsettled') => async () =>
    (await server.queues()).map(({ stream, consumer, ...figures }) => ({
      labels: { stream, consumer },
      value: figures[figure],
    }));
  const ends = [
    metrics.gauge('agentclash_queue_pending', read('pending')),
    metrics.gauge('agentclash_queue_unsettled', read('unsettled')),
  ];
  return () => {
    for (const end of ends) end();
  };
}
