import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Repair, Repairs } from './repairs.js';

export class ReconcileSettings {
  constructor(readonly everyMs: number) {}
}

/** Looks again and again for what was forgotten. Several instances may: what mends is conditional. */
@Injectable()
export class ReconcileLoop implements OnApplicationBootstrap {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly repairs: Repairs,
    private readonly settings: ReconcileSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wait();
  }

  /** Begins no further look and waits for the one at work. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** One look at everything. */
  async look(): Promise<void> {
    for (const repair of this.repairs.all) if (!this.isStopped) await this.mend(repair);
  }

  private wait(): void {
    this.timer = setTimeout(() => {
      this.looking = this.look().finally(() => {
        if (!this.isStopped) this.wait();
      });
    }, this.settings.everyMs);
  }

  private async mend({ name, find }: Repair): Promise<void> {
    try {
      for (const mend of await find(new Date())) {
        if (this.isStopped) return;
        await mend().catch((error: unknown) => this.logger.warn({ err: error, repair: name }, 'not mended'));
      }
    } catch (error) {
      this.logger.warn({ err: error, repair: name }, 'could not look');
    }
  }
}
