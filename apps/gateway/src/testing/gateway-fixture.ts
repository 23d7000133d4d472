import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { type Client, createClient } from '@agentclash/api';
import { Bus, BusConnection, BusServer, provisionStreams } from '@agentclash/bus';
import {
  artifacts,
  attempts,
  audits,
  ContractError,
  deployments,
  type In,
  listenSubject,
  modelAliases,
  type Out,
  packs,
  prices,
  profiles,
  providerAccounts,
  type Rpc,
  runs,
  scorecards,
  tools,
  vault,
  vaultKeys,
} from '@agentclash/contracts';
import { gatewayConfig, startGateway } from '../index.js';
import type { RunningGateway } from '../start.js';

/** Fakes of the services behind the gateway: each message is handled by the function that was set last. */
class FakeServices {
  private readonly handlers = new Map<string, (request: unknown) => unknown>();
  /** Every received request, by subject. */
  readonly requests = new Map<string, unknown[]>();
  readonly bus: Bus;

  private constructor(
    private readonly connection: BusConnection,
    private readonly server: BusServer,
  ) {
    this.bus = new Bus(connection);
  }

  static async start(natsUrl: string, messages: readonly Rpc[]): Promise<FakeServices> {
    const connection = await BusConnection.open({ servers: [natsUrl], name: 'run-orchestrator' });
    await provisionStreams(await connection.jetstreamManager());
    const server = new BusServer(connection, { concurrency: 8 });
    const fakes = new FakeServices(connection, server);
    for (const message of messages) {
      const handler = async (request: unknown) => fakes.respond(message, request);
      server.addHandler(listenSubject(message), handler, false, { message, reach: 'shared' });
    }
    await new Promise<void>((resolve, reject) => {
      server.listen((error) => (error ? reject(error) : resolve()));
    });
    return fakes;
  }

  on<R extends Rpc>(message: R, respond: (request: In<R>) => Out<R> | Promise<Out<R>>): void {
    this.handlers.set(message.subject, respond as (request: unknown) => unknown);
  }

  /** The last request. */
  last<R extends Rpc>(message: R): In<R> | undefined {
    return this.requests.get(message.subject)?.at(-1) as In<R> | undefined;
  }

  count(message: Rpc): number {
    return this.requests.get(message.subject)?.length ?? 0;
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.connection.close();
  }

  private respond(message: Rpc, request: unknown): unknown {
    const input = message.input.parse(request);
    this.requests.set(message.subject, [...(this.requests.get(message.subject) ?? []), input]);
    const respond = this.handlers.get(message.subject);
    if (respond === undefined) throw new ContractError('not_found', `no handler for ${message.subject}`);
    return respond(input);
  }
}

const BEHIND: readonly Rpc[] = [
  ...[packs, artifacts, audits, runs, attempts, scorecards].flatMap((group): Rpc[] => Object.values(group)),
  ...[providerAccounts, modelAliases, prices, profiles, tools, deployments].flatMap((group): Rpc[] =>
    Object.values(group),
  ),
  ...[vault.list, vault.set, vault.remove, vault.audit],
  ...Object.values(vaultKeys),
];

export const ADMIN = `ac_${'a'.repeat(43)}`;
export const OPERATOR = `ac_${'o'.repeat(43)}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A gateway on a real database and bus, with fakes of the services behind it. */
export class GatewayFixture {
  private constructor(
    readonly gateway: RunningGateway,
    readonly fakes: FakeServices,
    /** Of the blob store. */
    readonly folder: string,
    private readonly environment: Record<string, string>,
    /** Every line of the gateway's log. */
    readonly logged: readonly string[],
  ) {}

  /** `behind` are the messages that the fakes handle; the rest has no handler. */
  static async start(
    urls: { database: string; nats: string },
    settings: Record<string, string> = {},
    behind: readonly Rpc[] = BEHIND,
  ): Promise<GatewayFixture> {
    const folder = await mkdtemp(path.join(tmpdir(), 'agentclash-gateway-'));
    const fakes = await FakeServices.start(urls.nats, behind);
    const logged: string[] = [];
    const logTo = new Writable({
      write(chunk, _encoding, done) {
        logged.push(String(chunk));
        done();
      },
    });
    const environment = {
      DATABASE_URL: urls.database,
      NATS_URL: urls.nats,
      BLOB_FOLDER: folder,
      BOOTSTRAP_ADMIN_TOKEN_SHA256: sha256(ADMIN),
      OPERATOR_TOKEN_SHA256: sha256(OPERATOR),
      ...settings,
    };
    const gateway = await startGateway(gatewayConfig(environment), { logTo }).catch(
      async (error: unknown) => {
        // Left open they would keep the test run from ending.
        await fakes.close();
        await rm(folder, { recursive: true, force: true });
        throw error;
      },
    );
    return new GatewayFixture(gateway, fakes, folder, environment, logged);
  }

  client(token: string = ADMIN, workspace = 'default'): Client {
    return createClient({ baseUrl: this.gateway.url, token, workspace });
  }

  /** A raw request with the admin's token, which a typed client would never send. */
  async request(target: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${ADMIN}`, ...(init.headers as Record<string, string>) };
    return await fetch(`${this.gateway.url}${target}`, { ...init, headers });
  }

  /** A second instance on the same database and bus. */
  async startAnother(settings: Record<string, string> = {}): Promise<RunningGateway> {
    const logTo = new Writable({ write: (_chunk, _encoding, done) => done() });
    return await startGateway(gatewayConfig({ ...this.environment, ...settings }), { logTo });
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.fakes.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
