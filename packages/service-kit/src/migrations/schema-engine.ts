import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import type { MigrateOptions } from './migrate.js';
import { migrationAdapter } from './migration-adapter.js';

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
