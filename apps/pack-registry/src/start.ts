import path from 'node:path';
import {
  Blobs,
  migrate,
  type RunningService,
  type StartOptions,
  SweepLoop,
  startService,
} from '@agentclash/service-kit';
import { AppModule, HANDLERS } from './app.module.js';
import type { Config } from './config.js';
import { SCHEMA } from './database.js';
import { PacksStore } from './packs/packs.store.js';

/** Starts the registry: migrates its schema if configured, then serves. */
export async function startPackRegistry(config: Config, options?: StartOptions): Promise<RunningService> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  return await startService(
    {
      name: 'pack-registry',
      handlers: HANDLERS,
      module: () => AppModule.with(config),
      onClosing: async (app) => await app.get(SweepLoop, { strict: false }).stop(),
      readiness: (app) => ({
        database: async () => await app.get(PacksStore, { strict: false }).ping(),
        blobs: async () => await app.get(Blobs, { strict: false }).ping(),
      }),
    },
    config,
    options,
  );
}
