import path from 'node:path';
import { executionEvents } from '@agentclash/contracts';
import {
  Blobs,
  migrate,
  type RunningService,
  type StartOptions,
  startService,
} from '@agentclash/service-kit';
import { AppModule, HANDLERS } from './app.module.js';
import type { Config } from './config.js';
import { Database, SCHEMA } from './database.js';

/** Events and jobs of one subject that an instance handles at once. */
const CONCURRENCY = 32;
/**
 * Messages with events form one queue for all runs, and those of one run are stored one after the other: a run that has
 * many must not fill all slots. Each has 256 KiB at most.
 */
const EVENT_CONCURRENCY = 128;

/** Starts the orchestrator: migrates its schema if configured, then serves messages and runs the periodic tasks. */
export async function startRunOrchestrator(config: Config, options?: StartOptions): Promise<RunningService> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  const database = new Database(config);
  const blobs = await Blobs.open(config.blobs);
  return await startService(
    {
      name: 'run-orchestrator',
      handlers: HANDLERS,
      module: () => AppModule.with(config, { database, blobs }),
      concurrency: (message) => (message === executionEvents.emitted ? EVENT_CONCURRENCY : CONCURRENCY),
      readiness: () => ({ database: () => database.ping(), blobs: () => blobs.ping() }),
    },
    config,
    options,
  );
}
