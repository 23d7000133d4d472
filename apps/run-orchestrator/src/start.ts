import path from 'node:path';
import { executionEvents } from '@agentclash/contracts';
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
import { StorageLoop } from './deletion/storage.loop.js';
import { DeploymentsStore } from './deployments/deployments.store.js';
import { ReconcileLoop } from './dispatch/reconcile.loop.js';
import { RunAnnouncer } from './runs/run-announcer.js';

/** Events and jobs of one subject that an instance works on at once. */
const CONCURRENCY = 32;
/**
 * Messages with events come in one line for all runs, and those of one run are stored one after the other: a run that has
 * many must not fill all places. Each has 256 KiB at most.
 */
const EVENT_CONCURRENCY = 128;

/** Starts the orchestrator: brings its schema up to date if told to, then serves and looks after the runs. */
export async function startRunOrchestrator(config: Config, options?: StartOptions): Promise<RunningService> {
  if (config.MIGRATE_ON_START) {
    const folder = path.resolve(import.meta.dirname, '../prisma');
    await migrate({ databaseUrl: config.DATABASE_URL, schema: SCHEMA, folder });
  }
  return await startService(
    {
      name: 'run-orchestrator',
      handlers: HANDLERS,
      module: () => AppModule.with(config),
      concurrency: (message) => (message === executionEvents.emitted ? EVENT_CONCURRENCY : CONCURRENCY),
      readiness: (app) => ({
        database: async () => await app.get(DeploymentsStore, { strict: false }).ping(),
        blobs: async () => await app.get(Blobs, { strict: false }).ping(),
      }),
      onClosing: async (app) => {
        const loops = [ReconcileLoop, StorageLoop, SweepLoop].map((loop) =>
          app.get<{ stop(): Promise<void> }>(loop, { strict: false }),
        );
        await Promise.all(loops.map((loop) => loop.stop()));
        await app.get(RunAnnouncer, { strict: false }).settle();
      },
    },
    config,
    options,
  );
}
