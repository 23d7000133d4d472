import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RescoresStore } from './rescores.store.js';
import { Rescoring } from './rescoring.service.js';

const EVERY_MS = 60_000;
const FORGOTTEN_AFTER_MS = 180_000;

/** Takes up rescorings whose job was lost. */
@Injectable()
export class RescoringLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: RescoresStore,
    private readonly rescoring: Rescoring,
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
      const forgotten = await this.store.forgotten(new Date(Date.now() - FORGOTTEN_AFTER_MS));
      for (const rescore of forgotten) await this.rescoring.nudge(rescore);
    } catch (err) {
      this.logger.warn({ err }, 'forgotten rescorings were not taken up');
    }
  }
}
