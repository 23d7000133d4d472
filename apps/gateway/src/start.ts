import path from 'node:path';
import {
  Blobs,
  migrate,
  type RunningService,
  type StartOptions,
  startService,
} from '@agentclash/service-kit';
import type { INestApplicationContext } from '@nestjs/common';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { SCHEMA } from './database.js';
import { Connections } from './http/connections.js';
import { listen } from './http/http-server.js';
import { EventsListener } from './runs/events.listener.js';
import { OpenStreams } from './runs/open-streams.js';
import { Bootstrapping } from './workspaces/bootstrap.js';
import { WorkspacesStore } from './workspaces/workspaces.store.js';

export interface RunningGateway extends RunningService {
  /** Where the API answers, without a slash at the end. */
  url: string;
}

/** Starts the gateway: brings its schema up to date if told to, makes the first workspace, then answers HTTP. */
export async function startGateway(config: Config, options?: StartOptions): Promise<RunningGateway> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  let url = '';
  const service = await startService(
    {
      name: 'gateway',
      handlers: [EventsListener],
      module: () => AppModule.with(config),
      readiness: (app) => ({
        database: async () => await app.get(WorkspacesStore, { strict: false }).ping(),
        blobs: async () => await app.get(Blobs, { strict: false }).ping(),
      }),
      create: async (module, server, log) => {
        const prepare = async (context: INestApplicationContext) =>
          await context.get(Bootstrapping, { strict: false }).ensure(config);
        const app = await listen(module, { config, server, log, prepare });
        url = await app.getUrl();
        return app;
      },
      onClosing: (app) => {
        app.get(OpenStreams, { strict: false }).closeAll();
        app.get(Connections, { strict: false }).drain();
      },
    },
    config,
    options,
  );
  return { ...service, url };
}
