import { createWriteStream, existsSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { ACCESS, type ServiceName } from '@agentclash/contracts';
import { assertNotServedElsewhere, assertPortFree, findNatsRelease } from '@agentclash/embedded';
import type { LogLevel, Readiness } from '@agentclash/service-kit';
import { withAdminToken } from './admin-token.js';
import { environment } from './config.js';
import { type Credentials, loadCredentials } from './credentials.js';
import { choosePort, readPort, rememberPort } from './http-port.js';
import { type Layout, openLayout } from './layout.js';
import { settleLoopbackChoice } from './loopback-endpoints.js';
import { SECOND, type SecondProcess, startSecond } from './second-process.js';
import { type RunningServers, startServers } from './servers.js';
import { ServiceGroup } from './service-group.js';
import { StackError } from './stack-error.js';
import { findState, removeState, writeState } from './state.js';
import { SupervisedProcess } from './supervised-process.js';
import { removeStackFile, writeStackFile } from './user-file.js';

export interface StackOptions {
  /** The data folder; survives restarts. */
  data: string;
  /** HTTP port; default, and 0: a free one. */
  port?: number;
  /**
   * Where no port is given: that of earlier starts on this data, and at the first one always the same. Another program
   * on it makes the stack take a free port for this time.
   */
  hasStablePort?: boolean;
  host?: string;
  /**
   * True when members' endpoints and provider accounts may be on this machine; remembered. Default: as the last time.
   */
  allowLoopbackEndpoints?: boolean;
  natsPort?: number;
  postgresPort?: number;
  logLevel?: LogLevel;
  /** Leaves address and token where the command line looks. Default true. */
  writeUserFile?: boolean;
  /** Receives each step of the start. */
  onStep?: (step: string) => void;
  /** Sets single services' environment variables. */
  environment?: Record<string, string>;
  /** How many processes the services share: with two, executing and grading have one of their own. Default 1. */
  processes?: 1 | 2;
}

export interface RunningStack {
  url: string;
  token: string;
  allowsLoopback: boolean;
  /** By service: whether it is ready and what it lacks. */
  status(): Promise<Record<string, Readiness>>;
  /** Settles when a part of the stack ended and cannot be kept running. */
  broken: Promise<string>;
  /** Drains the services, then ends the servers. Idempotent. */
  close(): Promise<void>;
}

/** Boots PostgreSQL, nats-server and every service. Throws StackError or EmbeddedError. */
export async function startLocalStack(options: StackOptions): Promise<RunningStack> {
  const layout = await openLayout(options.data);
  const running = await findState(layout.state);
  if (running !== undefined) {
    throw new StackError(
      'already_running',
      `Already running at ${running.url} (data: ${layout.folder})`,
      'agentclash down',
    );
  }
  // Before anything is written: a stack of another container that shares the folder keeps its files.
  if (existsSync(layout.postgres)) await assertNotServedElsewhere(layout.postgres);
  if (options.port) await assertPortFree(options.port, 'the HTTP API');
  const credentials = await loadCredentials(layout, !existsSync(layout.postgres));
  const allowLoopbackEndpoints = await settleLoopbackChoice(layout, options.allowLoopbackEndpoints);
  const stack = new Stack(layout, credentials, {
    ...options,
    ...(await portFor(layout, options)),
    allowLoopbackEndpoints,
  });
  try {
    return await stack.start();
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/** The port to serve on; reports where it is not the expected one. */
async function portFor(
  { ports }: Layout,
  { port, hasStablePort, onStep }: StackOptions,
): Promise<{ port?: number }> {
  if (port !== undefined || !hasStablePort) return port === undefined ? {} : { port };
  const choice = await choosePort(await readPort(ports));
  if (choice.taken !== undefined) {
    onStep?.(`Port ${choice.taken} is in use by another program: serving on ${choice.port} this time`);
  }
  return { port: choice.port };
}

class Stack {
  private servers: RunningServers | undefined;
  private services: ServiceGroup | undefined;
  private second: SupervisedProcess<SecondProcess> | undefined;
  private readonly log;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly layout: Layout,
    private credentials: Credentials,
    private readonly options: StackOptions,
  ) {
    this.log = createWriteStream(layout.log, { flags: 'a', mode: 0o600 });
  }

  async start(): Promise<RunningStack> {
    const { layout, options } = this;
    // Reports a step where the server has to be fetched first.
    const nats = await findNatsRelease({ log: (line) => options.onStep?.(line) });
    if (nats.notice !== undefined) options.onStep?.(`Warning: ${nats.notice}`);
    options.onStep?.('Starting PostgreSQL and nats-server');
    const servers = await this.startServers();
    options.onStep?.('Starting the services');
    const url = await this.startServices(servers);
    await this.rememberPort(url);
    const { onStep } = options;
    this.credentials = await withAdminToken(this.credentials, { url, layout, onStep });
    const { credentials } = this;
    const publicUrl = { ...environment.settings, ...options.environment }.PUBLIC_URL;
    await writeState(layout.state, {
      url,
      ...(publicUrl !== undefined && { publicUrl }),
      postgresPort: servers.postgresPort,
      natsPort: servers.natsPort,
      natsVersion: nats.version,
      startedAt: new Date().toISOString(),
      allowsLoopback: options.allowLoopbackEndpoints ?? false,
      health: { ...this.services?.health, ...this.second?.current.health },
    });
    if (options.writeUserFile !== false) {
      await writeStackFile({ url, credentials, data: layout.folder });
    }
    return {
      url,
      token: credentials.adminToken,
      allowsLoopback: options.allowLoopbackEndpoints ?? false,
      status: () => this.status(),
      broken: this.lost(servers).then((part) => `${part} ended again and again; see ${layout.log}`),
      close: () => this.close(),
    };
  }

  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  /** A port that only replaces a taken one for this time is not remembered in its place. */
  private async rememberPort(url: string): Promise<void> {
    const { port, hasStablePort } = this.options;
    if (!port) return;
    const { ports } = this.layout;
    const before = await readPort(ports);
    if (hasStablePort && before !== undefined) return;
    await rememberPort(ports, Number(new URL(url).port));
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
      allowsLoopback: options.allowLoopbackEndpoints,
      overrides: options.environment,
      areSupervised: true,
      log: (line) => this.logLine(line),
    });
    return this.servers;
  }

  private async startServices({ environments }: RunningServers): Promise<string> {
    const all = Object.keys(ACCESS) as ServiceName[];
    const isApart = (name: ServiceName) => this.options.processes === 2 && SECOND.includes(name);
    const apart = Object.fromEntries(all.filter(isApart).map((name) => [name, environments[name]]));
    const here = all.filter((name) => !isApart(name));
    const [services, second] = await Promise.allSettled([
      this.startHere(here, environments),
      this.startSecond(apart),
    ]);
    if (services.status === 'fulfilled') this.services = services.value;
    if (second.status === 'fulfilled') this.second = second.value;
    if (services.status === 'rejected') throw startFailure(services.reason, this.layout.log);
    if (second.status === 'rejected') throw startFailure(second.reason, this.layout.log);
    const { url } = services.value;
    if (url === undefined) throw new Error('the gateway has no address');
    return url;
  }

  /** Another program may have taken the chosen port since it was found free. */
  private async startHere(
    names: readonly ServiceName[],
    environments: RunningServers['environments'],
  ): Promise<ServiceGroup> {
    try {
      return await ServiceGroup.start(names, environments, this.log);
    } catch (error) {
      if (!this.options.hasStablePort || !isAddressInUse(error)) throw error;
      this.options.onStep?.(`Port ${this.options.port} was taken meanwhile: serving on a free one this time`);
      const gateway = { ...environments.gateway, HTTP_PORT: '0' };
      return await ServiceGroup.start(names, { ...environments, gateway }, this.log);
    }
  }

  private async startSecond(
    environments: Partial<RunningServers['environments']>,
  ): Promise<SupervisedProcess<SecondProcess> | undefined> {
    if (Object.keys(environments).length === 0) return undefined;
    const { log } = this.layout;
    return await SupervisedProcess.start<SecondProcess>({
      name: 'The process that executes and grades',
      start: (before) => startSecond({ environments, log }, before),
      log: (line) => this.logLine(line),
    });
  }

  private lost(servers: RunningServers): Promise<string> {
    return this.second === undefined ? servers.ended : Promise.race([servers.ended, this.second.lost]);
  }

  private logLine(line: string): void {
    this.log.write(`${line}\n`);
  }

  private async status(): Promise<Record<string, Readiness>> {
    return { ...(await this.services?.status()), ...(await this.second?.current.status()) };
  }

  private async stop(): Promise<void> {
    // No more requests come in, work in progress is finished and reported, and only then the other services stop.
    await this.services?.close(['gateway']);
    await this.second?.stop();
    await this.services?.close();
    await this.servers?.stop();
    await removeState(this.layout.state);
    if (this.options.writeUserFile !== false) await removeStackFile(this.layout.folder);
    this.log.end();
    await finished(this.log);
  }
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function startFailure(cause: unknown, log: string): Error {
  if (cause instanceof Error && 'hint' in cause) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new StackError('start_failed', `A service did not start: ${message}`, `Details: ${log}`, { cause });
}
