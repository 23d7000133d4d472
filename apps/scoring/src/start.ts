import path from 'node:path';
import {
  Blobs,
  migrate,
  type RunningService,
  type StartOptions,
  startService,
} from '@agentclash/service-kit';
import { AppModule, HANDLERS } from './app.module.js';
import type { Config } from './config.js';
import { SCHEMA } from './database.js';
import { Judging } from './judging/judging.service.js';
import { ScorecardsStore } from './scorecards/scorecards.store.js';

/** Starts scoring: brings its schema up to date if told to, then serves. */
export async function startScoring(config: Config, options?: StartOptions): Promise<RunningService> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  return await startService(
    {
      name: 'scoring',
      handlers: HANDLERS,
      module: () => AppModule.with(config),
      concurrency: config.SCORING_CONCURRENCY,
      onClosing: (app) => app.get(Judging, { strict: false }).stop(),
      readiness: (app) => ({
        database: async () => await app.get(ScorecardsStore, { strict: false }).ping(),
        blobs: async () => await app.get(Blobs, { strict: false }).ping(),
      }),
    },
    config,
    options,
  );
}
