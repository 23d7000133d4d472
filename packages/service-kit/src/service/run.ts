import { SERVICE_EXIT_CODES } from '@agentclash/domain';
import { ConfigError } from '../config.js';
import type { RunningService } from './service.js';

/** The shutdown grace period of a service. */
const STOP_MS_MAX = 60_000;

/**
 * The whole of a `main.ts`: starts the service, shuts it down on SIGTERM and SIGINT, and exits with one line and a code
 * when it cannot start: 78 for an invalid environment, 69 otherwise.
 */
export async function runService(start: () => Promise<RunningService>): Promise<void> {
  try {
    const service = await start();
    const stop = () => {
      const overdue = setTimeout(() => process.exit(1), STOP_MS_MAX);
      overdue.unref();
      void service.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exit(
      error instanceof ConfigError ? SERVICE_EXIT_CODES.misconfigured : SERVICE_EXIT_CODES.unavailable,
    );
  }
}
