import type { SweepCounts } from '@agentclash/contracts';
import { z } from 'zod';
import { integer } from '../config.js';
import type { Logger } from '../logging.js';

const MINUTE_MS = 60_000;

/** What a service that sweeps stored bytes reads of its environment. */
export const sweepEnvironment = {
  /** How often stored bytes are compared with what refers to them. */
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

/** Sweeps again and again, one sweep at a time. The first begins one interval after the start. */
export class SweepLoop {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly area: string,
    private readonly sweep: Sweep,
    private readonly settings: Pick<SweepSettings, 'everyMs'>,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wait();
  }

  /** Begins no further step and waits for the one at work. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.sweeping;
  }

  private wait(): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.sweeping = this.run().finally(() => this.wait());
    }, this.settings.everyMs);
  }

  private async run(): Promise<void> {
    const { area } = this;
    try {
      const counts = await this.sweep(this.stopping.signal);
      if (counts === undefined) return;
      this.logger.info({ area, ...counts }, 'stored bytes swept');
      if (counts.missing > 0)
        this.logger.error({ area, sha256: counts.missing_sha256 }, 'references lead to no stored bytes');
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logger.warn({ area, err: error }, 'sweep did not end');
    }
  }
}
