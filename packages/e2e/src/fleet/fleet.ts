import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@agentclash/api';
import {
  freePort,
  type NatsServer,
  type PostgresServer,
  startNats,
  startPostgres,
} from '@agentclash/embedded';
import { loadCredentials, openLayout, type RunningServers, startServers } from '@agentclash/local-stack';
import { StackFolder } from '../product.js';
import { ServiceProcess } from './service-process.js';
import { TcpProxy } from './tcp-proxy.js';

/** Every service but the executor has one instance. */
const SERVICES = ['pack-registry', 'run-orchestrator', 'secrets-vault', 'scoring', 'gateway'] as const;
export const EXECUTORS = ['executor-1', 'executor-2'] as const;
export type ServiceName = (typeof SERVICES)[number];
export type ExecutorName = (typeof EXECUTORS)[number];
export type MemberName = ServiceName | ExecutorName;

export interface FleetOptions {
  /** Variables of every service. */
  settings?: Readonly<Record<string, string>>;
  /** Called when folders are made and nothing has started. What it returns is called when everything has ended. */
  prepare?: (folders: { jetstream: string }) => () => void;
}

interface Parts {
  layout: Awaited<ReturnType<typeof openLayout>>;
  servers: RunningServers;
  databaseLink: TcpProxy;
  url: string;
  token: string;
  undo: (() => void) | undefined;
}

/**
 * The product as a cluster runs it, on one machine: every service a process of its own under its own users, two
 * executors, PostgreSQL and nats-server; each of them can be killed and started again. The executors reach the bus, and
 * all services the database, through links that can fail.
 */
export class Fleet {
  readonly members = new Map<MemberName, ServiceProcess>();
  /** Each executor's link to the bus. */
  readonly busLinks = new Map<ExecutorName, TcpProxy>();
  /** Those that were started again. */
  private postgres: PostgresServer | undefined;
  private nats: NatsServer | undefined;
  /** Read at their start: the record goes when the last process that holds their output has gone. */
  private pids: { postgres: number; nats: number };

  private constructor(
    readonly folder: StackFolder,
    private readonly parts: Parts,
  ) {
    this.pids = { postgres: pidIn(this.records.postgres), nats: pidIn(this.records.nats) };
  }

  static async start({ settings = {}, prepare }: FleetOptions = {}): Promise<Fleet> {
    const folder = new StackFolder();
    const layout = await openLayout(folder.data);
    const undo = prepare?.({ jetstream: path.join(layout.nats, 'jetstream') });
    const credentials = await loadCredentials(layout, true);
    const port = await freePort();
    const servers = await startServers({
      allowsLoopback: true,
      layout,
      credentials,
      log: () => {},
      http: { port },
      overrides: { ...settings },
    });
    const databaseLink = await TcpProxy.to(servers.postgresPort);
    const url = `http://127.0.0.1:${port}`;
    const token = credentials.adminToken;
    const fleet = new Fleet(folder, { layout, servers, databaseLink, url, token, undo });
    try {
      await fleet.startMembers();
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** Where the services' own words are kept. */
  get logs(): string {
    return path.join(this.parts.layout.folder, 'logs');
  }

  get client(): Client {
    const { url, token } = this.parts;
    return createClient({ baseUrl: url, token });
  }

  /** Between the services and the database. */
  get databaseLink(): TcpProxy {
    return this.parts.databaseLink;
  }

  /** A connection string of a service's own role, past the link. */
  databaseUrl(service: 'run-orchestrator' | 'scoring'): string {
    return this.parts.servers.environments[service].DATABASE_URL ?? '';
  }

  /** Every process that an executor ever was. */
  get executorPids(): number[] {
    return EXECUTORS.flatMap((name) => this.member(name).pids);
  }

  member(name: MemberName): ServiceProcess {
    const member = this.members.get(name);
    if (member === undefined) throw new Error(`there is no ${name}`);
    return member;
  }

  busLink(executor: ExecutorName): TcpProxy {
    const link = this.busLinks.get(executor);
    if (link === undefined) throw new Error(`${executor} has no link`);
    return link;
  }

  killPostgres(): void {
    process.kill(this.pids.postgres, 'SIGKILL');
  }

  killNats(): void {
    process.kill(this.pids.nats, 'SIGKILL');
  }

  /** On the port it had; recovers what is on disk. */
  async startPostgres(): Promise<void> {
    const { layout, servers } = this.parts;
    const { postgresPort: port } = servers;
    this.postgres = await startPostgres({ dataDir: layout.postgres, port, log: () => {} });
    this.pids.postgres = pidIn(this.records.postgres);
  }

  async startNats(): Promise<void> {
    const { layout, servers } = this.parts;
    const { nats: dataDir, natsConfig: configFile } = layout;
    this.nats = await startNats({
      dataDir,
      configFile,
      hasStore: true,
      port: servers.natsPort,
      log: () => {},
    });
    this.pids.nats = pidIn(this.records.nats);
  }

  /** Ends everything in order and removes its data. */
  async stop(): Promise<void> {
    const links = [...this.busLinks.values(), this.databaseLink];
    for (const link of links) link.become('open');
    await Promise.all([...this.members.values()].map((member) => member.stop()));
    await Promise.all(links.map((link) => link.close()));
    await this.nats?.stop();
    await this.postgres?.stop();
    await this.parts.servers.stop();
    this.parts.undo?.();
    this.folder.remove();
  }

  private get records() {
    const { nats, postgres } = this.parts.layout;
    return {
      nats: path.join(nats, 'nats.process.json'),
      postgres: path.join(postgres, 'postgres.process.json'),
    };
  }

  private async startMembers(): Promise<void> {
    mkdirSync(this.logs, { recursive: true });
    for (const service of SERVICES) this.add(service, service, {});
    for (const executor of EXECUTORS) {
      const link = await TcpProxy.to(this.parts.servers.natsPort);
      this.busLinks.set(executor, link);
      this.add(executor, 'sandbox-executor', { NATS_URL: `nats://127.0.0.1:${link.port}` });
    }
    await Promise.all([...this.members.values()].map((member) => member.start()));
  }

  private add(
    name: MemberName,
    service: ServiceName | 'sandbox-executor',
    over: Record<string, string>,
  ): void {
    const environment = { ...this.parts.servers.environments[service], ...over };
    if (environment.DATABASE_URL !== undefined) {
      const url = new URL(environment.DATABASE_URL);
      url.port = String(this.databaseLink.port);
      url.search = '';
      environment.DATABASE_URL = url.href;
    }
    const log = path.join(this.logs, `${name}.log`);
    this.members.set(name, new ServiceProcess({ service, environment, log }));
  }
}

/** The server that a record of the embedded servers names. */
function pidIn(record: string): number {
  const { server } = JSON.parse(readFileSync(record, 'utf8')) as { server: { pid: number } };
  return server.pid;
}
