import path from 'node:path';
import { type RunningService, type StartOptions, startDatabaseService } from '@agentclash/service-kit';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Database } from './database.js';

/** Starts the registry: migrates its schema if configured, then serves. */
export async function startPackRegistry(config: Config, options?: StartOptions): Promise<RunningService> {
  const definition = {
    name: 'pack-registry',
    database: Database,
    prismaFolder: path.resolve(import.meta.dirname, '../prisma'),
    module: AppModule.with(config),
  } as const;
  return await startDatabaseService(definition, config, options);
}
