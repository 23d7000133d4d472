import path from 'node:path';
import { migrate, type RunningService, type StartOptions, startService } from '@agentclash/service-kit';
import { AppModule, HANDLERS } from './app.module.js';
import type { Config } from './config.js';
import { SCHEMA } from './database.js';
import { SecretsStore } from './secrets/secrets.store.js';

/** Starts the vault: migrates its schema if configured to, then serves. */
export async function startSecretsVault(config: Config, options?: StartOptions): Promise<RunningService> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  return await startService(
    {
      name: 'secrets-vault',
      handlers: HANDLERS,
      module: () => AppModule.with(config),
      readiness: (app) => ({ database: async () => await app.get(SecretsStore, { strict: false }).ping() }),
    },
    config,
    options,
  );
}
