import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { IdempotencyStore } from './idempotency.store.js';

const EVERY_MS = 3_600_000;
const KEPT_MS = 48 * 3_600_000;

/** Drops the keys that nobody may repeat any more. */
@Injectable()
export class IdempotencyLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: IdempotencyStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    try {
      await this.store.forgetBefore(new Date(Date.now() - KEPT_MS));
    } catch (err) {
      this.logger.warn({ err }, 'old idempotency keys were not dropped');
    }
  }
}
