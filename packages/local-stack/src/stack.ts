import { createWriteStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { natsServerConfig, serviceUsers } from '@agentclash/bus';
import type { ServiceName } from '@agentclash/contracts';
import { type NatsServer, type PostgresServer, startNats, startPostgres } from '@agentclash/embedded';
import { checkReadiness, type Readiness, type RunningService } from '@agentclash/service-kit';
import { environment } from './config.js';
import { type Credentials, loadCredentials } from './credentials.js';
import { prepareDatabase } from './database.js';
import { serviceEnvironments } from './environments.js';
import { type Layout, openLayout } from './layout.js';
import { STARTERS } from './services.js';
import { StackError } from './stack-error.js';
import { findState, removeState, writeState } from './state.js';
import { writeStackFile } from './user-file.js';

export interface StackOptions {
  /** The data folder; survives restarts. */
  data: string;
  /** HTTP port; default: a free one. */
  port?: number;
  host?: string;
  natsPort?: number;
  postgresPort?: number;
  logLevel?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  /** Whether to leave address and token where the command line looks. Default true. */
  writeUserFile?: boolean;
  /** Hears what is being done, step by step. */
  onStep?: (step: string) => void;
  /** Sets single services' environment variables. */
  environment?: Record<string, string>;
}

export interface RunningStack {
  url: string;
  token: string;
  /** By service: whether it is ready and what it lacks. */
  status(): Promise<Record<string, Readiness>>;
  /** Settles when PostgreSQL or nats-server ends although nobody asked for it. */
  broken: Promise<string>;
  /** Drains the services, then ends the servers. Idempotent. */
  close(): Promise<void>;
}

/** Boots PostgreSQL, nats-server and every service in this process. Throws StackError or EmbeddedError. */
export async function startLocalStack(options: StackOptions): Promise<RunningStack> {
  const layout = await openLayout(options.data);
  const running = await findState(layout.state);
  if (running !== undefined) {
    throw new StackError(
      'already_running',
      `A stack on ${layout.folder} runs already: ${running.url}`,
      'agentclash down',
    );
  }
  const credentials = await loadCredentials(layout.credentials, !existsSync(layout.postgres));
  const stack = new Stack(layout, credentials, options);
  try {
    return await stack.start();
  } catch (error) {
    await stack.close();
    throw error;
  }
}

const HOST = '127.0.0.1';

class Stack {
  private postgres: PostgresServer | undefined;
  private nats: NatsServer | undefined;
  private readonly services: RunningService[] = [];
  private readonly log;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly layout: Layout,
    private readonly credentials: Credentials,
    private readonly options: StackOptions,
  ) {
    this.log = createWriteStream(layout.log, { flags: 'a', mode: 0o600 });
  }

  async start(): Promise<RunningStack> {
    const { credentials, layout } = this;
    this.step('Starting PostgreSQL and nats-server');
    const [postgres, nats] = await this.startServers();
    this.step('Starting the services');
    const url = await this.startServices(postgres, nats);
    await writeState(layout.state, {
      pid: process.pid,
      url,
      postgresPort: postgres.port,
      natsPort: nats.port,
      startedAt: new Date().toISOString(),
      health: Object.fromEntries(this.services.map(({ name, healthPort }) => [name, healthPort])),
    });
    if (this.options.writeUserFile !== false) {
      await writeStackFile({ url, token: credentials.adminToken, data: layout.folder });
    }
    return {
      url,
      token: credentials.adminToken,
      status: () => this.status(),
      broken: this.broken(postgres, nats),
      close: () => this.close(),
    };
  }

  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private async startServers(): Promise<[PostgresServer, NatsServer]> {
    const { layout, options, credentials } = this;
    const config = natsServerConfig(serviceUsers((service) => credentials.passwords[service]));
    await writeFile(layout.natsConfig, config, { mode: 0o600 });
    const starting = await Promise.allSettled([
      startPostgres({
        dataDir: layout.postgres,
        ...(options.postgresPort !== undefined && { port: options.postgresPort }),
        log: (line) => this.log.write(`postgres: ${line}\n`),
      }).then((server) => {
        this.postgres = server;
        return server;
      }),
      startNats({
        dataDir: layout.nats,
        configFile: layout.natsConfig,
        ...(options.natsPort !== undefined && { port: options.natsPort }),
        log: (line) => this.log.write(`nats-server: ${line}\n`),
      }).then((server) => {
        this.nats = server;
        return server;
      }),
    ]);
    const [postgres, nats] = starting;
    if (postgres.status === 'rejected') throw postgres.reason;
    if (nats.status === 'rejected') throw nats.reason;
    return [postgres.value, nats.value];
  }

  private async startServices(postgres: PostgresServer, nats: NatsServer): Promise<string> {
    const { credentials, layout, options } = this;
    const roles = await prepareDatabase((database) => postgres.url(database), credentials.passwords);
    const environments = serviceEnvironments({
      credentials,
      natsUrl: nats.url,
      postgresUrl: postgres.url,
      roles,
      blobFolder: layout.blobs,
      httpHost: options.host ?? HOST,
      httpPort: options.port ?? 0,
      logLevel: options.logLevel ?? 'info',
      overrides: { ...environment.settings, ...options.environment },
    });
    const names = Object.keys(STARTERS) as ServiceName[];
    const started = await Promise.allSettled(
      names.map(async (name) => {
        const service = await STARTERS[name](environments[name], { logTo: this.log });
        this.services.push(service);
        return service;
      }),
    );
    const failed = started.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw startFailure(failed.reason, layout.log);
    const gateway = this.services.find(({ name }) => name === 'gateway');
    if (gateway === undefined || !('url' in gateway) || typeof gateway.url !== 'string') {
      throw new Error('the gateway has no address');
    }
    return gateway.url;
  }

  private async status(): Promise<Record<string, Readiness>> {
    const entries = this.services.map(
      async ({ name, readiness }) => [name, await checkReadiness(readiness)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  private async broken(postgres: PostgresServer, nats: NatsServer): Promise<string> {
    const ended = await Promise.race([
      postgres.exited.then(() => 'PostgreSQL'),
      nats.exited.then(() => 'nats-server'),
    ]);
    return `${ended} ended unexpectedly; see ${this.layout.log}`;
  }

  private async stop(): Promise<void> {
    // Whoever hands out work stops last, so that what is being finished can still be reported.
    const order: ServiceName[] = [
      'gateway',
      'sandbox-executor',
      'scoring',
      'run-orchestrator',
      'secrets-vault',
      'pack-registry',
    ];
    for (const name of order) await this.services.find((service) => service.name === name)?.close();
    await this.nats?.stop();
    await this.postgres?.stop();
    await removeState(this.layout.state);
    this.log.end();
    await finished(this.log);
  }

  private step(text: string): void {
    this.options.onStep?.(text);
  }
}

function startFailure(cause: unknown, log: string): Error {
  if (cause instanceof Error && 'hint' in cause) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new StackError('start_failed', `A service did not start: ${message}`, `Details: ${log}`, { cause });
}
