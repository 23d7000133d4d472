import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { appliedMigrations, forgetFailed } from './bookkeeping.js';
import { withSchemaEngine } from './schema-engine.js';

export interface MigrateOptions {
  databaseUrl: string;
  /** The service's Postgres schema; made when absent and allowed. */
  schema: string;
  /** The service's `prisma` folder: `schema.prisma` and `migrations/`. */
  folder: string;
  /** Called with a line for each step other than applying. */
  log?: (line: string) => void;
}

interface Migration {
  name: string;
  sql: string;
}

/** Lock of all migrations on a database: two instances that start at once apply them one after the other. */
const LOCK_KEY = 4_701_386;

/**
 * Applies what is pending of the service's migrations, in order, and returns their names; failed ones are retried.
 * The bookkeeping is Prisma's own (`_prisma_migrations`), so `prisma migrate deploy` agrees with it. Prisma's schema
 * engine is loaded only when something is pending: it is large.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(path.join(options.folder, 'migrations'));
  return await withClient(options, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await ensureSchema(client, options.schema);
    const pending = await pendingOf(migrations, client, options.schema);
    if (pending.length === 0) return [];
    assertWhole(migrations.filter(({ name }) => pending.includes(name)));
    for (const name of await forgetFailed(client, options.schema))
      options.log?.(`${name} failed before and left nothing: marked as rolled back`);
    return await applyAll(options, migrations);
  });
}

/** The names of the service's migrations that the database does not have yet. */
export async function pendingMigrations(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(path.join(options.folder, 'migrations'));
  return await withClient(options, (client) => pendingOf(migrations, client, options.schema));
}

async function withClient<T>(
  { databaseUrl }: MigrateOptions,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function pendingOf(migrations: Migration[], client: pg.Client, schema: string): Promise<string[]> {
  const applied = await appliedMigrations(client, schema);
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return await Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(path.join(folder, name, 'migration.sql'), 'utf8'),
    })),
  );
}

/** A role that owns only its schema may not create one, and need not when it exists. */
async function ensureSchema(client: pg.Client, schema: string): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (found.rowCount === 0) await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
}

/** A migration that fails must leave nothing, so that it can be retried. */
function assertWhole(migrations: readonly Migration[]): void {
  for (const { name, sql } of migrations) {
    const statement = statementOutside(sql);
    if (statement !== undefined)
      throw new Error(`${name} cannot be undone as a whole: ${statement.slice(0, 80)}`);
  }
}

async function applyAll(options: MigrateOptions, migrations: Migration[]): Promise<string[]> {
  const scripts = new Set(migrations.map(({ sql }) => sql));
  const { appliedMigrationNames } = await withSchemaEngine({ ...options, scripts }, (engine) =>
    engine.applyMigrations({
      migrationsList: {
        baseDir: path.join(options.folder, 'migrations'),
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return appliedMigrationNames;
}

/** Comments, strings, quoted names and bodies of functions, which hold no statements of the script. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

/** Statements that PostgreSQL runs outside of transactions only, or that end the transaction of a script; by their beginning. */
const OUTSIDE: readonly RegExp[] = [
  /^(?:BEGIN|START TRANSACTION|COMMIT|END|ROLLBACK(?! TO)|ABORT|PREPARE TRANSACTION|CALL)\b/,
  /^(?:CREATE|DROP|ALTER) (?:DATABASE|TABLESPACE|SUBSCRIPTION|SYSTEM)\b/,
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|REINDEX)\b.* CONCURRENTLY\b/,
  /^ALTER TABLE\b.* DETACH PARTITION\b.* CONCURRENTLY\b/,
  /^(?:VACUUM|CLUSTER|REINDEX (?:\([^)]*\) )?(?:DATABASE|SYSTEM|SCHEMA))\b/,
];

/**
 * The first statement of a migration that PostgreSQL would not undo with the rest when a later one fails; undefined
 * when there is none. What blocks of code (`DO`) do inside is not looked at.
 */
export function statementOutside(sql: string): string | undefined {
  return sql
    .replace(PARTS, ' _ ')
    .split(';')
    .map((statement) => statement.replaceAll(/\b_\b/g, ' ').replace(/\s+/g, ' ').trim().toUpperCase())
    .find((statement) => OUTSIDE.some((kind) => kind.test(statement)));
}
