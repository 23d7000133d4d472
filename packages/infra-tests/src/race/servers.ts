import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  freePort,
  type NatsServer,
  type PostgresServer,
  startNats,
  startPostgres,
} from '@agentclash/embedded';
import type { Client } from 'pg';
import pg from 'pg';
import { dataOf } from '../environment/resolve.js';
import { ofKind } from '../manifests/kinds.js';
import { type Manifest, type PodSpec, workloadsOf } from '../manifests/manifest.js';

export const DATABASE = 'agentclash';

/** PostgreSQL with the roles of the manifests. */
export async function startDatabase(
  manifests: readonly Manifest[],
  folder: string,
  log: (line: string) => void,
): Promise<PostgresServer> {
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    durability: 'process',
    log,
  });
  await withClient(postgres.url(), (client) => client.query(`CREATE DATABASE ${DATABASE}`));
  const passwords = mapNamed(manifests, 'Secret', 'postgres-passwords');
  const script = mapNamed(manifests, 'ConfigMap', 'postgres-roles')['roles.sql'] ?? '';
  await withClient(postgres.url(DATABASE), (client) => runScript(client, script, passwords));
  return postgres;
}

export async function withClient<T>(
  connectionString: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export interface Bus {
  server: NatsServer;
  monitorPort: number;
}

/** nats-server with the configuration, users and permissions of the manifests. */
export async function startBus(
  manifests: readonly Manifest[],
  folder: string,
  log: (line: string) => void,
): Promise<Bus> {
  const monitorPort = await freePort();
  const pidFolder = path.join(folder, 'run');
  const config = path.join(folder, 'nats-config');
  mkdirSync(path.join(config, 'accounts'), { recursive: true });
  mkdirSync(pidFolder);
  const { server, accounts } = configOf(manifests);
  // The address and the store are command-line options here.
  const here = server
    .replace('store_dir: "/data"', '')
    .replace('0.0.0.0:8222', `127.0.0.1:${monitorPort}`)
    .replace('/run/nats/', `${pidFolder}/`);
  writeFileSync(path.join(config, 'server.conf'), here);
  writeFileSync(path.join(config, 'accounts/accounts.conf'), accounts);
  const running = await startNats({
    dataDir: path.join(folder, 'nats'),
    configFile: path.join(config, 'server.conf'),
    env: { POD_NAME: 'nats-0', ...mapNamed(manifests, 'Secret', 'nats-users') },
    log,
  });
  return { server: running, monitorPort };
}

/** The files in the configuration folder of the NATS pods. */
export function configOf(manifests: readonly Manifest[]): { server: string; accounts: string } {
  return {
    server: mapNamed(manifests, 'ConfigMap', 'nats-server')['server.conf'] ?? '',
    accounts: mapNamed(manifests, 'ConfigMap', 'nats-accounts')['accounts.conf'] ?? '',
  };
}

/** The content of a generated map, whose name ends with a hash. */
function mapNamed(
  manifests: readonly Manifest[],
  kind: 'ConfigMap' | 'Secret',
  name: string,
): Record<string, string> {
  const found = ofKind(manifests, kind).find(
    ({ metadata }) => metadata.name.replace(/-[a-z0-9]{10}$/, '') === name,
  );
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return dataOf(manifests, kind, found.metadata.name);
}

export function podOf(manifests: readonly Manifest[], workload: string): PodSpec {
  const found = workloadsOf(manifests).find(({ name }) => name === workload);
  if (found === undefined) throw new Error(`there is no workload ${workload}`);
  return found.pod;
}

/** The features of psql that the file of roles uses: `\getenv`, `:'name'` and `\gexec`. */
async function runScript(
  client: Client,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const variables = new Map<string, string>();
  const lines = script.split('\n').filter((line) => {
    const [, name, variable] = /^\\getenv (\w+) (\w+)$/.exec(line) ?? [];
    if (name === undefined || variable === undefined) return !line.startsWith('--');
    const value = environment[variable];
    if (value === undefined) throw new Error(`${variable} is not in the environment`);
    variables.set(name, value);
    return false;
  });
  for (const [, text = '', isMade] of lines.join('\n').matchAll(/([^;\\]+)(?:;|(\\gexec))/g)) {
    const statement = text.replace(/:'(\w+)'/g, (_, name: string) =>
      client.escapeLiteral(variables.get(name) ?? ''),
    );
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' });
    if (isMade) for (const [made] of rows) await client.query(String(made));
  }
}
