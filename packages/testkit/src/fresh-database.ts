import { randomBytes } from 'node:crypto';
import { afterAll } from '@jest/globals';
import pg from 'pg';

/** A database that is prepared once per test run and then copied, which takes a fraction of a migration's time. */
export interface DatabaseTemplate {
  /** Unique in the repository, such as the service's name. */
  name: string;
  /** Creates the schema; must close its connections. */
  prepare(url: string): Promise<void>;
}

export interface FreshDatabase {
  /** A superuser's connection string. */
  url: string;
  /** Runs one statement on its own connection and returns the rows. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Commits what `work` does; rolls it back when that fails. */
  transaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
}

/**
 * A database for the calling spec file alone, dropped after it. Call at the top level of an `*.int-spec.ts`:
 * `const database = await freshDatabase();`
 */
export async function freshDatabase(options: { template?: DatabaseTemplate } = {}): Promise<FreshDatabase> {
  const server = await serverUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  afterAll(() => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const source = options.template && (await preparedTemplate(server, options.template));
  await run(server, `CREATE DATABASE ${name}${source ? ` TEMPLATE ${source}` : ''}`);
  const url = onDatabase(server, name);
  return {
    url,
    query: async <Row>(sql: string, values?: unknown[]) => (await run(url, sql, values)) as Row[],
    transaction: (work) =>
      withClient(url, async (client) => {
        await client.query('BEGIN');
        const done = await work(client);
        await client.query('COMMIT');
        return done;
      }),
  };
}

/** The first caller prepares it while the others wait for the lock; an unfinished template never gets the name. */
async function preparedTemplate(server: string, { name, prepare }: DatabaseTemplate): Promise<string> {
  return withClient(server, async (client) => {
    const template = client.escapeIdentifier(`template_${name}`);
    const unfinished = client.escapeIdentifier(`unfinished_${name}`);
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [`template_${name}`]);
    if (found.rowCount === 0) {
      await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${unfinished}`);
      await prepare(onDatabase(server, `unfinished_${name}`));
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    }
    return template;
  });
}

async function serverUrl(): Promise<string> {
  const endpoint = process.env.AGENTCLASH_TEST_POSTGRES_ENDPOINT;
  if (!endpoint) throw new Error('PostgreSQL is available to *.int-spec.ts files only (Jest project "int").');
  const reply = (await (await fetch(endpoint)).json()) as { url: string } | { problem: string };
  if ('problem' in reply) throw new Error(`The tests' PostgreSQL did not start: ${reply.problem}`);
  return reply.url;
}

function onDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

function run(url: string, sql: string, values?: unknown[]): Promise<unknown[]> {
  return withClient(url, async (client) => (await client.query(sql, values)).rows);
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
