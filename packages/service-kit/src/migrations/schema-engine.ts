import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { finishing } from './bookkeeping.js';
import type { MigrateOptions } from './migrate.js';

/** Node.js has it; its types for Node.js 22 do not. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

type SchemaEngine = Awaited<ReturnType<LoadedBindings['SchemaEngine']['new']>>;
type LoadedBindings = Awaited<ReturnType<typeof loadSchemaEngine>>;

interface SchemaEngineOptions extends MigrateOptions {
  /** The texts of the migrations that it is to apply. */
  scripts?: ReadonlySet<string>;
}

/**
 * Lends Prisma's schema engine, connected to the service's own schema. It is the one built as WebAssembly: the native
 * engine is a download of its own that an install may not have.
 */
export async function withSchemaEngine<T>(
  { databaseUrl, schema, folder, scripts = new Set() }: SchemaEngineOptions,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  schemaEngine ??= loadSchemaEngine();
  const { SchemaEngine } = await schemaEngine;
  const options = `-c search_path=${schema}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options });
  try {
    const datamodel = path.join(folder, 'schema.prisma');
    const engine = await SchemaEngine.new(
      { datamodels: [[datamodel, await readFile(datamodel, 'utf8')]] },
      () => {},
      bindMigrationAwareSqlAdapterFactory(migrationAdapter(pool, { schema, scripts })),
    );
    try {
      return await use(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
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

/** The engine leaves a ten-second timer behind that would keep an idle process alive. */
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

/** Type of columns in Postgres' own tables, which Prisma's adapter refuses although its schema engine reads them. */
const CHAR = 18;
const TEXT = 25;

interface MigrationAdapterOptions {
  schema: string;
  /** The texts of the migrations: what is sent beside them is Prisma's own. */
  scripts: ReadonlySet<string>;
}

/** Prisma's adapter, made to read the tables in which Postgres describes itself, and to send a migration as one. */
function migrationAdapter(
  pool: pg.Pool,
  { schema, scripts }: MigrationAdapterOptions,
): SqlMigrationAwareDriverAdapterFactory {
  const chars = new WeakMap<object, number[]>();
  const factory = new PrismaPg(showingCharsAsText(pool, chars), { schema });
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    async connect() {
      const adapter = await connect();
      const queryRaw = adapter.queryRaw.bind(adapter);
      return Object.assign(adapter, {
        async queryRaw(query: Parameters<typeof queryRaw>[0]) {
          const found = await queryRaw(query);
          for (const index of chars.get(found.rows) ?? [])
            found.columnTypes[index] = ColumnTypeEnum.Character;
          return found;
        },
        // Prisma's cuts it at every semicolon, and what came before one that fails would stay.
        executeScript: (script: string) =>
          asOne(pool, scripts.has(script) ? `${script}\n;\n${finishing(schema)}` : script),
      });
    },
  });
}

/** PostgreSQL undoes all of a script whose statement fails, when it comes in one message. */
async function asOne(pool: pg.Pool, script: string): Promise<void> {
  try {
    await pool.query(script);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const { code = '', severity = '', message, detail, column, hint } = error;
    throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
  }
}

/** Remembers which columns of a result were characters, by its rows: the adapter passes these on unchanged. */
function showingCharsAsText(pool: pg.Pool, chars: WeakMap<object, number[]>): pg.Pool {
  type Result = pg.QueryArrayResult | pg.QueryArrayResult[];
  const runQuery: (query: pg.QueryArrayConfig) => Promise<Result> = pool.query.bind(pool);
  const query = async (config: pg.QueryArrayConfig) => {
    const result = await runQuery(config);
    // A script of several statements has a result for each.
    for (const { fields, rows } of [result].flat()) {
      chars.set(
        rows,
        fields.flatMap((field, index) => (field.dataTypeID === CHAR ? index : [])),
      );
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    }
    return result;
  };
  return Object.assign(pool, { query });
}
