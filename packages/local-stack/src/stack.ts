import { createWriteStream, existsSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { ServiceName } from '@agentclash/contracts';
import { assertPortFree, findNatsServer } from '@agentclash/embedded';
import { checkReadiness, type Readiness, type RunningService } from '@agentclash/service-kit';
import { type Credentials, loadCredentials } from './credentials.js';
import { type Layout, openLayout } from './layout.js';
import { type RunningServers, startServers } from './servers.js';
import { STARTERS } from './services.js';
import { StackError } from './stack-error.js';
import { findState, removeState, writeState } from './state.js';
import { removeStackFile, writeStackFile } from './user-file.js';

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
  if (options.port) await assertPortFree(options.port, 'the HTTP API');
  const credentials = await loadCredentials(layout, !existsSync(layout.postgres));
  const stack = new Stack(layout, credentials, options);
  try {
    return await stack.start();
  } catch (error) {
    await stack.close();
    throw error;
  }
}

class Stack {
  private servers: RunningServers | undefined;
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
    const { credentials, layout, options } = this;
    // Says what it does where the server has to be fetched first.
    await findNatsServer({ log: (line) => options.onStep?.(line) });
    options.onStep?.('Starting PostgreSQL and nats-server');
    const servers = await this.startServers();
    options.onStep?.('Starting the services');
    const url = await this.startServices(servers);
    await writeState(layout.state, {
      url,
      postgresPort: servers.postgresPort,
      natsPort: servers.natsPort,
      startedAt: new Date().toISOString(),
      health: Object.fromEntries(this.services.map(({ name, healthPort }) => [name, healthPort])),
    });
    if (options.writeUserFile !== false) {
      await writeStackFile({ url, credentials, data: layout.folder });
    }
    return {
      url,
      token: credentials.adminToken,
      status: () => this.status(),
      broken: servers.ended.then((server) => `${server} ended unexpectedly; see ${layout.log}`),
      close: () => this.close(),
    };
  }

  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private async startServers(): Promise<RunningServers> {
    const { layout, credentials, options } = this;
    const { host, port, natsPort, postgresPort, logLevel } = options;
    this.servers = await startServers({
      layout,
      credentials,
      natsPort,
      postgresPort,
      http: { host, port },
      logLevel,
      overrides: options.environment,
      log: (line) => this.log.write(`${line}\n`),
    });
    return this.servers;
  }

  private async startServices({ environments }: RunningServers): Promise<string> {
    const names = Object.keys(STARTERS) as ServiceName[];
    const started = await Promise.allSettled(
      names.map(async (name) => {
        const service = await STARTERS[name](environments[name], {
          logTo: this.log,
          processName: 'agentclash',
        });
        this.services.push(service);
        return service;
      }),
    );
    const failed = started.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw startFailure(failed.reason, this.layout.log);
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
    await this.servers?.stop();
    await removeState(this.layout.state);
    if (this.options.writeUserFile !== false) await removeStackFile(this.layout.folder);
    this.log.end();
    await finished(this.log);
  }
}

function startFailure(cause: unknown, log: string): Error {
  if (cause instanceof Error && 'hint' in cause) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new StackError('start_failed', `A service did not start: ${message}`, `Details: ${log}`, { cause });
}
