import type { DatabaseSettings } from '../database/database.module.js';
import { type DatabaseClass, DatabaseModule } from '../database/database.module.js';
import { migrate } from '../migrations/migrate.js';
import {
  type RunningService,
  type ServiceConfig,
  type ServiceDefinition,
  type StartOptions,
  startService,
} from './service.js';

interface DatabaseServiceDefinition extends ServiceDefinition {
  database: DatabaseClass;
  /** The folder of `schema.prisma` and `migrations/`. */
  prismaFolder: string;
}

interface DatabaseServiceConfig extends ServiceConfig, DatabaseSettings {
  MIGRATE_ON_START: boolean;
}

/** Starts a service with a database: migrates its schema if configured, then as `startService`. */
export async function startDatabaseService(
  { database, prismaFolder, ...definition }: DatabaseServiceDefinition,
  config: DatabaseServiceConfig,
  options?: StartOptions,
): Promise<RunningService> {
  const { DATABASE_URL: databaseUrl, MIGRATE_ON_START } = config;
  if (MIGRATE_ON_START) await migrate({ databaseUrl, schema: database.schema, folder: prismaFolder });
  const { module } = definition;
  const imports = [...(module.imports ?? []), DatabaseModule.with(database, config)];
  return await startService({ ...definition, module: { ...module, imports } }, config, options);
}
