import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres } from '@agentclash/embedded';
import {
  loadCredentials,
  openLayout,
  prepareDatabase,
  SCHEMAS,
  type ServiceWithState,
} from '@agentclash/local-stack';
import pg from 'pg';
import { repository, type StackFolder } from '../product.js';
import type { RecordedInstallation, RecordedTables } from './installation.js';

/**
 * Writes a recorded installation into the data folder of a stack that was never started: with the tables that it had, which
 * the migrations of this release that it knew make, and their rows.
 */
export async function restoreInstallation(
  { data }: StackFolder,
  { databases, files }: RecordedInstallation,
): Promise<void> {
  for (const [name, base64] of Object.entries(files)) {
    const file = path.join(data, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, Buffer.from(base64, 'base64'), { mode: 0o600 });
  }
  const layout = await openLayout(data);
  const { passwords } = await loadCredentials(layout, false);
  const server = await startPostgres({ dataDir: layout.postgres, log: () => {} });
  try {
    await prepareDatabase((database) => server.url(database), passwords);
    for (const [service, tables] of Object.entries(databases) as [ServiceWithState, RecordedTables][]) {
      const schema = SCHEMAS[service];
      const login = { user: `agentclash_${schema}`, password: passwords[service] };
      const scripts = migrationNames(tables).map((name) =>
        readFileSync(
          path.join(repository, 'apps', service, 'prisma/migrations', name, 'migration.sql'),
          'utf8',
        ),
      );
      await run(server.url('agentclash', login), [`SET search_path TO ${schema}`, BOOKKEEPING, ...scripts]);
      await insert(server.url('agentclash'), schema, tables);
    }
  } finally {
    await server.stop();
  }
}

/** Of Prisma, which makes it with the first migration. */
const BOOKKEEPING = `CREATE TABLE _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0)`;

function migrationNames({ _prisma_migrations: rows = [] }: RecordedTables): string[] {
  return (rows as { migration_name: string }[]).map(({ migration_name }) => migration_name).sort();
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function insert(url: string, schema: string, tables: RecordedTables): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Rows come in the order of table names: their references hold in the end only, and triggers have had their effect.
    await client.query("SET session_replication_role = 'replica'");
    for (const [name, rows] of Object.entries(tables)) {
      const table = `${schema}.${pg.escapeIdentifier(name)}`;
      // A migration may have written rows of its own.
      await client.query(`DELETE FROM ${table}`);
      await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows),
      ]);
    }
  } finally {
    await client.end();
  }
}
