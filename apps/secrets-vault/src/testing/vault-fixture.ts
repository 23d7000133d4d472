import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { Bus, BusConnection } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { deliveries, type In, type KeyRingStatus, vault, vaultKeys } from '@agentclash/contracts';
import { newId, type RunningService, SealedBoxKey } from '@agentclash/service-kit';
import { type FreshDatabase, freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { startSecretsVault, vaultConfig } from '../index.js';

type Live = In<typeof deliveries.live>;

/** A delivery that the fake orchestrator has registered. */
export interface LiveDelivery extends Omit<Live, 'work'> {
  run_agent_id: string;
  work: Live['work'] | 'over';
}

interface OpenedValue {
  key: string;
  value_base64: string;
  hosts: string[];
  binding: string;
}

export const newKey = () => randomBytes(32).toString('base64');

/** Vaults on a real database and bus, next to a fake orchestrator whose deliveries a test sets. */
export class VaultFixture {
  readonly workspaceId = newId();
  readonly logged: string[] = [];
  private readonly running: RunningService[] = [];
  private readonly known = new Map<string, LiveDelivery>();

  private constructor(
    private readonly database: FreshDatabase,
    private readonly urls: { DATABASE_URL: string; NATS_URL: string },
    private readonly connection: BusConnection,
  ) {}

  static async open(): Promise<VaultFixture> {
    const [database, nats] = await Promise.all([freshDatabase(), freshNats()]);
    const connection = await BusConnection.open({ servers: [nats.url], name: 'gateway' });
    const urls = { DATABASE_URL: database.url, NATS_URL: nats.url };
    const fixture = new VaultFixture(database, urls, connection);
    fixture.playOrchestrator();
    return fixture;
  }

  readonly query = (sql: string, values?: unknown[]) => this.database.query(sql, values);
  readonly transaction: FreshDatabase['transaction'] = (work) => this.database.transaction(work);

  get bus(): Bus {
    return new Bus(this.connection);
  }

  /** Starts a vault with these keys; several share the queue. */
  async start(settings: Record<string, string>): Promise<RunningService> {
    const logTo = new Writable({
      write: (chunk, _encoding, done) => {
        this.logged.push(String(chunk));
        done();
      },
    });
    const environment = { ...this.urls, VAULT_KEYS_CHECK_MS: '50', ...settings };
    const service = await startSecretsVault(vaultConfig(environment), { logTo });
    this.running.push(service);
    return service;
  }

  /** Stops the vaults and forgets what they stored. */
  async clear(): Promise<void> {
    for (const service of this.running.splice(0)) await service.close();
    const tables = await this.query(`SELECT 1 FROM information_schema.tables WHERE table_schema = 'vault'`);
    if (tables.length > 0) await this.query('TRUNCATE vault.secrets, vault.grants, vault.retired_keys');
  }

  async close(): Promise<void> {
    for (const service of this.running) await service.close();
    await this.connection.close();
  }

  async set(key: string, value: string, more: { hosts?: string[]; any?: boolean; actor?: string } = {}) {
    const { hosts = [], any = hosts.length === 0 } = more;
    return await this.bus.call(vault.set, {
      workspace_id: this.workspaceId,
      key,
      value_base64: Buffer.from(value).toString('base64'),
      hosts,
      any,
      actor: more.actor ?? 'tests',
    });
  }

  /** A delivery at work in a run that may open these secrets. */
  async delivery(keys: string[], change: Partial<LiveDelivery> = {}): Promise<LiveDelivery> {
    const delivery: LiveDelivery = {
      workspace_id: this.workspaceId,
      run_id: newId(),
      attempt_id: newId(),
      delivery: 1,
      run_agent_id: newId(),
      work: 'execution',
      ...change,
    };
    this.known.set(delivery.attempt_id, delivery);
    const { workspace_id, run_id } = delivery;
    if (keys.length > 0) await this.bus.call(vault.grant, { workspace_id, run_id, keys });
    return delivery;
  }

  /** Opens secrets as the executor does. */
  async open(delivery: LiveDelivery, keys: string[], rpc = vault.resolve) {
    const { workspace_id, run_id, attempt_id, delivery: number } = delivery;
    const box = await SealedBoxKey.create();
    const request = { workspace_id, run_id, attempt_id, delivery: number, keys, recipient: box.publicKey };
    const sealed = await this.bus.call(rpc, request);
    const plain = await box.open(sealed, canonicalJson(request));
    return { request, sealed, opened: JSON.parse(plain.toString()) as OpenedValue[] };
  }

  /** The values alone. */
  async values(delivery: LiveDelivery, keys: string[], rpc = vault.resolve): Promise<string[]> {
    const { opened } = await this.open(delivery, keys, rpc);
    return opened.map(({ value_base64 }) => Buffer.from(value_base64, 'base64').toString());
  }

  async keyStatus(): Promise<KeyRingStatus> {
    return await this.bus.call(vaultKeys.status, {});
  }

  /** Waits until the vault reports that nothing is left to rotate. */
  async rotated(): Promise<KeyRingStatus> {
    return await waitFor(async () => {
      const status = await this.keyStatus();
      return status.is_rotating ? undefined : status;
    });
  }

  private playOrchestrator(): void {
    this.connection.nats.subscribe(deliveries.live.subject, {
      callback: (_error, message) => {
        const request = message.json<Live>();
        const known = this.known.get(request.attempt_id);
        const isLive =
          known !== undefined &&
          (['workspace_id', 'run_id', 'delivery', 'work'] as const).every(
            (name) => known[name] === request[name],
          );
        const data = { run_agent_id: isLive ? known.run_agent_id : null };
        message.respond(JSON.stringify({ ok: true, data }));
      },
    });
  }
}
