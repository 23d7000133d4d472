import path from 'node:path';
import {
  Blobs,
  migrate,
  type RunningService,
  type StartOptions,
  startService,
} from '@agentclash/service-kit';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Database, SCHEMA } from './database.js';
import { EventsListener } from './runs/wake-ups.js';
import { listen } from './server/http-server.js';

export interface RunningGateway extends RunningService {
  /** The address of the API, without a slash at the end. */
  url: string;
}

/** Starts the gateway: migrates its schema if configured, creates the first workspace, then serves HTTP. */
export async function startGateway(config: Config, options?: StartOptions): Promise<RunningGateway> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  const database = new Database(config);
  const blobs = await Blobs.open(config.blobs);
  let url = '';
  const service = await startService(
    {
      name: 'gateway',
      handlers: [EventsListener],
      module: () => AppModule.with(config, { database, blobs }),
      readiness: () => ({ database: () => database.ping(), blobs: () => blobs.ping() }),
      create: async (module, server, log) => {
        const app = await listen(module, { config, server, log });
        url = await app.getUrl();
        return app;
      },
    },
    config,
    options,
  );
  return { ...service, url };
}
