import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Keys } from './keys.service.js';
import { KeysStore } from './keys.store.js';

export class RotationSettings {
  constructor(
    readonly everyMs: number,
    /** Secrets of one transaction. */
    readonly batch = 100,
  ) {}
}

/**
 * Takes over changed keys and puts all secrets under the active one. Several instances may: what each changes is
 * conditional. After a crash the next look goes on where the last one ended.
 */
@Injectable()
export class RotationLoop implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly keys: Keys,
    private readonly store: KeysStore,
    private readonly settings: RotationSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wait(this.settings.everyMs);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Looks at once. */
  wake(): void {
    this.wait(0);
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.looking = this.looking.then(() => this.look());
      void this.looking.finally(() => this.wait(this.settings.everyMs));
    }, ms);
  }

  private async look(): Promise<void> {
    try {
      await this.keys.reload();
      await this.rewrapAll();
      await this.keys.dropUnneeded();
    } catch (err) {
      this.logger.warn({ err }, 'the rotation of master keys goes on later');
    }
  }

  private async rewrapAll(): Promise<void> {
    const { ring } = this.keys;
    if (ring.otherIds.length === 0) return;
    let after: string | undefined;
    let total = 0;
    do {
      const { changed, broken, last } = await this.store.rewrapSome(ring, {
        after,
        take: this.settings.batch,
      });
      if (broken.length > 0)
        this.logger.error({ secretIds: broken }, 'secrets that their master key does not open');
      total += changed;
      after = last;
    } while (after !== undefined && !this.isStopped);
    if (total > 0) this.logger.info({ masterKeyId: ring.activeId, secrets: total }, 'wrapped anew');
  }
}
