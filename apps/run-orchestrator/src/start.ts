import path from 'node:path';
import { executionEvents } from '@agentclash/contracts';
import { type RunningService, type StartOptions, startDatabaseService } from '@agentclash/service-kit';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Database } from './database.js';

/** Events and jobs of one subject that an instance handles at once. */
const CONCURRENCY = 32;
/**
 * Messages with events form one queue for all runs, and those of one run are stored one after the other: a run that has
 * many must not fill all slots. Each has 256 KiB at most.
 */
const EVENT_CONCURRENCY = 128;

/** Starts the orchestrator: migrates its schema if configured, then serves messages and runs the periodic tasks. */
export async function startRunOrchestrator(config: Config, options?: StartOptions): Promise<RunningService> {
  return await startDatabaseService(
    {
      name: 'run-orchestrator',
      database: Database,
      prismaFolder: path.resolve(import.meta.dirname, '../prisma'),
      module: AppModule.with(config),
      concurrency: (message) => (message === executionEvents.emitted ? EVENT_CONCURRENCY : CONCURRENCY),
    },
    config,
    options,
  );
}
