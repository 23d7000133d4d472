import path from 'node:path';
import { type RunningService, type StartOptions, startDatabaseService } from '@agentclash/service-kit';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Database } from './database.js';
import { listen } from './server/http-server.js';

export interface RunningGateway extends RunningService {
  /** The address of the API, without a slash at the end. */
  url: string;
}

/** Starts the gateway: migrates its schema if configured, creates the first workspace, then serves HTTP. */
export async function startGateway(config: Config, options?: StartOptions): Promise<RunningGateway> {
  let url = '';
  const service = await startDatabaseService(
    {
      name: 'gateway',
      database: Database,
      prismaFolder: path.resolve(import.meta.dirname, '../prisma'),
      module: AppModule.with(config),
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
