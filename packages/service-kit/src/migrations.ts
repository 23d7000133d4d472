import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';

export interface MigrateOptions {
  databaseUrl: string;
  /** The service's Postgres schema; made when absent and allowed. */
  schema: string;
  /** The service's `prisma` folder: `schema.prisma` and `migrations/`. */
  folder: string;
}

/** Node has it; the types of Node 20 do not. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

interface Migration {
  name: string;
  sql: string;
}

/** Lock of all migrations on a database: two instances that start at once apply them one after the other. */
const LOCK_KEY = 4_701_386;

/**
 * Applies what is pending of the service's migrations, in order, and returns their names. The bookkeeping is Prisma's
 * own (`_prisma_migrations`), so `prisma migrate deploy` agrees with it. Prisma's schema engine is loaded only when
 * something is pending: it is large.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(path.join(options.folder, 'migrations'));
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await ensureSchema(client, options.schema);
    const applied = await appliedMigrations(client, options.schema);
    const pending = migrations.filter((migration) => !applied.has(migration.name));
    if (pending.length === 0) return [];
    return await applyAll(options, migrations);
  } finally {
    await client.end();
  }
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

async function appliedMigrations(client: pg.Client, schema: string): Promise<Set<string>> {
  const table = `${pg.escapeIdentifier(schema)}._prisma_migrations`;
  const exists = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [table]);
  if (exists.rows[0]?.found == null) return new Set();
  const rows = await client.query<{ migration_name: string }>(
    `SELECT migration_name FROM ${table} WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  return new Set(rows.rows.map((row) => row.migration_name));
}

async function applyAll(options: MigrateOptions, migrations: Migration[]): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: 1,
    options: `-c search_path=${options.schema}`,
  });
  const engine = await openSchemaEngine(options, pool);
  try {
    const applied = await engine.applyMigrations({
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
    });
    return applied.appliedMigrationNames;
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Prisma's schema engine as WebAssembly: the native engine is a download of its own that an install may not have. */
async function openSchemaEngine(options: MigrateOptions, pool: pg.Pool) {
  schemaEngine ??= loadSchemaEngine();
  const { SchemaEngine } = await schemaEngine;
  const datamodel = path.join(options.folder, 'schema.prisma');
  return await SchemaEngine.new(
    { datamodels: [[datamodel, await readFile(datamodel, 'utf8')]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool, { schema: options.schema })),
  );
}

/** Loaded once: the bindings keep one instance in module state, and a second would break the first. */
let schemaEngine: ReturnType<typeof loadSchemaEngine> | undefined;

async function loadSchemaEngine() {
  const require = createRequire(import.meta.url);
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const entry = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(entry.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': withoutHoldingTimers(bindings),
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

/** The engine leaves a ten-second timer behind that would keep a process alive which has nothing more to do. */
function withoutHoldingTimers(bindings: object): Record<string, unknown> {
  const isTimer = (name: string) => name.startsWith('__wbg_setTimeout');
  const letGo =
    (start: (...values: unknown[]) => NodeJS.Timeout) =>
    (...values: unknown[]) =>
      start(...values).unref();
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, isTimer(name) ? letGo(value) : value]),
  );
}
