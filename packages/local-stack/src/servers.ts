import type { ServiceName } from '@agentclash/contracts';
import { type NatsServer, type PostgresServer, startNats, startPostgres } from '@agentclash/embedded';
import { writeBusConfig } from './bus-config.js';
import { environment } from './config.js';
import type { Credentials } from './credentials.js';
import { prepareDatabase } from './database.js';
import { serviceEnvironments } from './environments.js';
import type { Layout } from './layout.js';
import type { Environment } from './service-group.js';
import { SupervisedProcess } from './supervised-process.js';

export interface ServersOptions {
  layout: Layout;
  credentials: Credentials;
  /** Every line that the servers print. */
  log: (line: string) => void;
  /** Ports; default: free ones. */
  natsPort?: number | undefined;
  postgresPort?: number | undefined;
  /** Of the gateway; default: a free port on the loopback interface. */
  http?: { host?: string | undefined; port?: number | undefined };
  logLevel?: string | undefined;
  /** True when endpoints and provider accounts of members may be on this machine. Default false. */
  allowsLoopback?: boolean | undefined;
  /** Variables for every service, over those of the operator. */
  overrides?: Environment | undefined;
  /** True when a server that ends by itself is started again, on its port and its data. Default false. */
  areSupervised?: boolean | undefined;
}

/** PostgreSQL and nats-server, ready for the services. */
export interface RunningServers {
  postgresPort: number;
  natsPort: number;
  /** The environment of each service. */
  environments: Record<ServiceName, Environment>;
  /** Settles with the name of a server that ended and is not started again. */
  ended: Promise<string>;
  /** Idempotent. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Starts both servers and gives each service its user on the bus and its role and schema in the database. */
export async function startServers(options: ServersOptions): Promise<RunningServers> {
  await writeBusConfig(options.layout, options.credentials);
  const [postgres, nats] = await both(keptPostgres(options), keptNats(options));
  const stop = async () => {
    await nats.stop();
    await postgres.stop();
  };
  try {
    return {
      postgresPort: postgres.current.port,
      natsPort: nats.current.port,
      environments: await environmentsOn(postgres.current, nats.current, options),
      ended: Promise.race([postgres.lost, nats.lost]),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function keptPostgres({
  layout,
  log,
  postgresPort,
  areSupervised,
}: ServersOptions): Promise<SupervisedProcess<PostgresServer>> {
  const start = async (before?: PostgresServer) =>
    await startPostgres({
      dataDir: layout.postgres,
      ...on(before?.port ?? postgresPort),
      log: (line) => log(`postgres: ${line}`),
    });
  return SupervisedProcess.start({ name: 'PostgreSQL', start, log, ...restarts(areSupervised) });
}

function keptNats({
  layout,
  log,
  natsPort,
  areSupervised,
}: ServersOptions): Promise<SupervisedProcess<NatsServer>> {
  const start = async (before?: NatsServer) =>
    await startNats({
      dataDir: layout.nats,
      configFile: layout.natsConfig,
      hasStore: true,
      ...on(before?.port ?? natsPort),
      log: (line) => log(`nats-server: ${line}`),
    });
  return SupervisedProcess.start({ name: 'nats-server', start, log, ...restarts(areSupervised) });
}

function on(port: number | undefined): { port?: number } {
  return port === undefined ? {} : { port };
}

function restarts(areSupervised = false): { restartsMax?: number } {
  return areSupervised ? {} : { restartsMax: 0 };
}

async function environmentsOn(
  postgres: PostgresServer,
  nats: NatsServer,
  { allowsLoopback = false, credentials, http, layout, logLevel, overrides }: ServersOptions,
): Promise<Record<ServiceName, Environment>> {
  return serviceEnvironments({
    allowsLoopback,
    credentials,
    natsUrl: nats.url,
    postgresUrl: postgres.url,
    roles: await prepareDatabase((database) => postgres.url(database), credentials.passwords),
    blobFolder: layout.blobs,
    vaultKeysFile: layout.vaultKeys,
    httpHost: http?.host ?? LOOPBACK,
    httpPort: http?.port ?? 0,
    logLevel: logLevel ?? 'info',
    overrides: { ...environment.settings, ...overrides },
    inherited: environment.inherited,
  });
}

/** Waits for both; when one does not start, the other is not left running. */
async function both<A extends Stoppable, B extends Stoppable>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value, b.value];
  for (const started of [a, b]) if (started.status === 'fulfilled') await started.value.stop();
  throw a.status === 'rejected' ? a.reason : (b as PromiseRejectedResult).reason;
}

interface Stoppable {
  stop(): Promise<void>;
}
