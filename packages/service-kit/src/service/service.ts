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
} from '@nestjs/common';
import { NestApplicationContext, NestFactory } from '@nestjs/core';
import type { DestinationStream } from 'pino';
import { HealthServer, type ReadinessCheck, ReadinessChecks } from '../health.js';
import { retryWhileUnavailable } from '../retry-while-unavailable.js';
import { busInstrumentation, countDeadLetter } from '../telemetry/bus-instrumentation.js';
import { createLogger, type Logger, type LogLevel, NestLog } from '../telemetry/logging.js';
import { metrics } from '../telemetry/metrics.js';
import { openTelemetry, type Telemetry, type TelemetrySettings } from '../telemetry/telemetry.js';
import { controllersOf } from './controllers.js';
import { KitModule } from './kit.module.js';

/** The configuration of every service; see `serviceEnvironment`. */
export interface ServiceConfig extends TelemetrySettings {
  NATS_URL: string[];
  NATS_USER?: string | undefined;
  NATS_PASSWORD?: string | undefined;
  NATS_NKEY_SEED?: string | undefined;
  /** Replicas of each stream, where this service creates them. Default 1. */
  NATS_STREAM_REPLICAS?: number | undefined;
  LOG_LEVEL: LogLevel;
  HEALTH_PORT: number;
  HEALTH_HOST: string;
}

/** The dependencies that a service is built with. */
export interface Kit {
  bus: Bus;
  connection: BusConnection;
  logger: Logger;
  readiness: ReadinessChecks;
}

export interface ServiceDefinition {
  name: ServiceName;
  /** Its controllers, and those of the modules that it imports, handle the messages that the service owns. */
  module: DynamicModule;
  /** Maximum of jobs and events of one subject that an instance handles at once. Default 8. */
  concurrency?: Concurrency;
  /** Readiness checks besides those that providers add to `ReadinessChecks`. */
  readiness?: Record<string, ReadinessCheck>;
  /** Creates the Nest application; the default serves the bus only. */
  create?: (module: DynamicModule, server: BusServer, log: NestLog) => Promise<INestApplication>;
}

export interface StartOptions {
  /** The destination of log lines; default: standard output. */
  logTo?: DestinationStream;
  /** The process's name in traces; default: after the service. */
  processName?: string;
}

export interface RunningService {
  name: ServiceName;
  app: INestApplicationContext;
  healthPort: number;
  /** Undefined where metrics are not collected. */
  metricsPort: number | undefined;
  readiness: Record<string, ReadinessCheck>;
  /** Drains: accepts nothing new, finishes running work, then disconnects from the bus. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts one service: connects to the bus, fails when a message that it owns has no handler or several, builds the
 * module, listens, serves health checks.
 */
export async function startService(
  definition: ServiceDefinition,
  config: ServiceConfig,
  options: StartOptions = {},
): Promise<RunningService> {
  const { name } = definition;
  const access: Access = ACCESS[name];
  checkHandlers(name, access.serves, controllersOf(definition.module));
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
    void connection.watch((status, detail) => logger.warn({ status, detail }, 'bus connection changed'));
    if (access.provisions) await provision(connection, config.NATS_STREAM_REPLICAS ?? 1);
    const kit: Kit = {
      bus: new Bus(connection, busInstrumentation),
      connection,
      logger,
      readiness: new ReadinessChecks(),
    };
    const readiness = kit.readiness.byName;
    Object.assign(readiness, definition.readiness);
    kit.readiness.add('bus', () => (connection.isConnected ? undefined : 'disconnected'));
    const concurrency = definition.concurrency ?? 8;
    const server = new BusServer(connection, {
      concurrency,
      logger,
      instrumentation: busInstrumentation,
      onDeadLetter: countDeadLetter,
    });
    app = await createApp(definition, KitModule.with(kit, definition.module), server, new NestLog(logger));
    const health = new HealthServer(readiness);
    const healthPort = await health.listen(config.HEALTH_HOST, config.HEALTH_PORT);
    const { metricsPort } = telemetry;
    logger.info({ health_port: healthPort, metrics_port: metricsPort }, 'service started');
    return {
      name,
      app,
      healthPort,
      metricsPort,
      readiness,
      close: closer({
        app,
        health,
        connection,
        logger,
        telemetry,
        removeGauges: observeQueues(server),
      }),
    };
  } catch (error) {
    if (app !== undefined) await closeApplication(app);
    await connection.close();
    await telemetry.close();
    throw error;
  }
}

async function createApp(
  { create }: ServiceDefinition,
  module: DynamicModule,
  server: BusServer,
  log: NestLog,
): Promise<INestApplication | INestMicroservice> {
  if (create !== undefined) return await create(module, server, log);
  const app = await NestFactory.createMicroservice(module, {
    strategy: server,
    logger: log,
    abortOnError: false,
  });
  try {
    await app.listen();
    return app;
  } catch (error) {
    await closeApplication(app);
    throw error;
  }
}

/**
 * Runs Nest's shutdown in its documented order: `beforeApplicationShutdown` (background work ends, while handlers, bus and
 * database are available), then the transports (handlers end), then `onApplicationShutdown` (resources are released).
 * `NestMicroservice.close` differs: it closes its transport before the first hook.
 */
async function closeApplication(app: INestApplicationContext): Promise<void> {
  await NestApplicationContext.prototype.close.call(app);
}

async function provision(connection: BusConnection, replicas: number): Promise<void> {
  const create = async () => await provisionStreams(await connection.jetstreamManager(), replicas);
  try {
    await retryWhileUnavailable(create, { timeoutMs: 30_000, intervalMs: 200, isRetryable: () => true });
  } catch (cause) {
    const message = 'The streams cannot be created on the bus: is JetStream on?';
    throw new ContractError('unavailable', message, {}, { cause });
  }
}

interface Parts {
  app: INestApplicationContext;
  health: HealthServer;
  connection: BusConnection;
  logger: Logger;
  telemetry: Telemetry;
  removeGauges: () => void;
}

function closer({ app, health, connection, logger, telemetry, removeGauges }: Parts): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async () => {
    logger.info('service stopping');
    health.drain();
    await closeApplication(app);
    await health.close();
    removeGauges();
    await connection.close();
    await telemetry.close();
    logger.info('service stopped');
  };
  return () => {
    closing ??= close();
    return closing;
  };
}

/** Registers gauges of the depth of every queue that this service consumes. */
function observeQueues(server: BusServer): () => void {
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
