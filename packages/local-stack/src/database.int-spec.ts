import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, startPostgres } from '@agentclash/embedded';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DATABASE, prepareDatabase, SCHEMAS, type ServiceWithState } from './database.js';

const passwords = Object.fromEntries(Object.keys(SCHEMAS).map((name) => [name, `pw-${name}`])) as Record<
  ServiceWithState,
  string
>;

describe('the database of a stack', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-database-'));
  let server: PostgresServer;
  let roles: Record<ServiceWithState, string>;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    server = await startPostgres({ dataDir: folder, durability: 'process', log: () => {} });
    await prepareDatabase((database) => server.url(database), passwords);
    roles = await prepareDatabase((database) => server.url(database), passwords);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function as(service: ServiceWithState, ...statements: string[]): Promise<unknown[]> {
    const login = { user: roles[service], password: passwords[service] };
    const client = new pg.Client({ connectionString: server.url(DATABASE, login) });
    await client.connect();
    try {
      const rows: unknown[] = [];
      for (const statement of statements) rows.push(...(await client.query(statement)).rows);
      return rows;
    } finally {
      await client.end();
    }
  }

  test('a service makes and reads tables in its own schema', async () => {
    const statements = ['CREATE TABLE vault.mine AS SELECT 1 AS value', 'SELECT * FROM vault.mine'];
    expect(await as('secrets-vault', ...statements)).toEqual([{ value: 1 }]);
  });

  test.each([
    ['read a table of another', 'SELECT * FROM vault.mine'],
    ['make a table there', 'CREATE TABLE vault.theirs (n int)'],
    ['make a table in public', 'CREATE TABLE public.anyones (n int)'],
    ['make a schema', 'CREATE SCHEMA another'],
    ['read passwords', 'SELECT * FROM pg_authid'],
  ])('a service must not %s', async (_what, statement) => {
    await expect(as('gateway', statement)).rejects.toThrow(/permission denied/);
  });

  test('a service cannot connect with the password of another', async () => {
    const login = { user: roles.gateway, password: passwords.scoring };
    const client = new pg.Client({ connectionString: server.url(DATABASE, login) });
    await expect(client.connect()).rejects.toThrow(/password authentication failed/);
  });
});
