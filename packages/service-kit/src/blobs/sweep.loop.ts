import type { SweepCounts } from '@agentclash/contracts';
import { z } from 'zod';
import { integer } from '../config.js';
import { PeriodicTask } from '../periodic-task.js';
import type { Logger } from '../telemetry/logging.js';

const MINUTE_MS = 60_000;

/** The environment of a service that sweeps stored bytes. */
export const sweepEnvironment = {
  /** Interval of the comparison of stored bytes with their references. */
  BLOB_SWEEP_MINUTES: integer(1, 20_000).prefault('60'),
  /** Stored bytes that nothing refers to are kept so long: an upload may be about to refer to them. */
  BLOB_GRACE_MINUTES: integer(0, 100_000).prefault('1440'),
};
const SweepEnvironment = z.object(sweepEnvironment);

export class SweepSettings {
  readonly everyMs: number;
  private readonly graceMs: number;

  constructor({ BLOB_SWEEP_MINUTES, BLOB_GRACE_MINUTES }: z.infer<typeof SweepEnvironment>) {
    this.everyMs = BLOB_SWEEP_MINUTES * MINUTE_MS;
    this.graceMs = BLOB_GRACE_MINUTES * MINUTE_MS;
  }

  /** Only bytes stored before this moment may be removed. */
  before(): Date {
    return new Date(Date.now() - this.graceMs);
  }
}

/** Undefined: another instance sweeps. */
type Sweep = (signal: AbortSignal) => Promise<SweepCounts | undefined>;

/** Cleanup of stored bytes: compares them with their references, one sweep at a time. */
export class SweepLoop extends PeriodicTask {
  constructor(area: string, sweep: Sweep, { everyMs }: Pick<SweepSettings, 'everyMs'>, logger: Logger) {
    super({
      run: async (signal) => report(area, await sweep(signal), logger),
      everyMs,
      failureMessage: 'sweep of stored bytes failed',
      fields: { area },
      logger,
    });
  }
}

function report(area: string, counts: SweepCounts | undefined, logger: Logger): void {
  if (counts === undefined) return;
  const { missing_sha256, ...figures } = counts;
  logger.info({ area, ...figures }, 'stored bytes swept');
  if (counts.missing > 0) logger.error({ area, sha256s: missing_sha256 }, 'stored bytes are missing');
}
