import type { ServiceName } from '@agentclash/contracts';
import pg from 'pg';

const DATABASE = 'agentclash';

/** The services with state and their Postgres schemas. */
export const SCHEMAS = {
  gateway: 'gateway',
  'pack-registry': 'packs',
  'run-orchestrator': 'runs',
  'secrets-vault': 'vault',
  scoring: 'scoring',
} as const satisfies Partial<Record<ServiceName, string>>;
export type ServiceWithState = keyof typeof SCHEMAS;

/**
 * One database; for each service a role that owns its schema and can neither see into another's nor make a new one.
 * Returns each service's role name. Safe to repeat.
 */
export async function prepareDatabase(
  urlOf: (database?: string) => string,
  passwords: Record<ServiceWithState, string>,
): Promise<Record<ServiceWithState, string>> {
  await withClient(urlOf(), async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
  const roles = {} as Record<ServiceWithState, string>;
  await withClient(urlOf(DATABASE), async (client) => {
    await client.query(`REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC`);
    await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
    for (const [service, schema] of Object.entries(SCHEMAS) as [ServiceWithState, string][]) {
      roles[service] = `agentclash_${schema}`;
      await prepareSchema(client, { role: roles[service], schema, password: passwords[service] });
    }
  });
  return roles;
}

async function prepareSchema(
  client: pg.Client,
  { role, schema, password }: { role: string; schema: string; password: string },
): Promise<void> {
  const found = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  const verb = found.rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  await client.query(`GRANT CONNECT ON DATABASE ${DATABASE} TO ${role}`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${role}`);
}

async function withClient(
  connectionString: string,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

export { DATABASE };
