import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditStore } from './audit.store.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

export class AuditSettings {
  /** `days` 0: entries are kept for ever. */
  constructor(readonly days: number) {}
}

/** Drops audit entries that are older than they are kept. */
@Injectable()
export class AuditLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: AuditStore,
    private readonly settings: AuditSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.days === 0) return;
    const sweep = () => {
      this.sweeping = this.sweep();
    };
    sweep();
    this.timer = setInterval(sweep, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    try {
      await this.store.forgetBefore(new Date(Date.now() - this.settings.days * DAY_MS));
    } catch (err) {
      this.logger.warn({ err }, 'old audit entries were not dropped');
    }
  }
}
