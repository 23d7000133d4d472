import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
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
 * Loads changed master keys and wraps all secrets by the active one. Several instances may: every change is conditional.
 * After a crash the next run continues.
 */
@Injectable()
export class RotationLoop extends PeriodicTask {
  constructor(
    private readonly keys: Keys,
    private readonly store: KeysStore,
    private readonly settings: RotationSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      run: async (signal) => {
        await keys.reload();
        await this.rewrapAll(signal);
        await keys.dropUnneeded();
      },
      everyMs: settings.everyMs,
      failureMessage: 'rotation of master keys failed, it is retried',
      logger,
    });
  }

  private async rewrapAll(signal: AbortSignal): Promise<void> {
    const { ring } = this.keys;
    if (ring.otherIds.length === 0) return;
    let after: string | undefined;
    let total = 0;
    do {
      const { changed, broken, last } = await this.store.rewrapSome(ring, {
        after,
        take: this.settings.batch,
      });
      if (broken.length > 0) this.logger.error({ secret_ids: broken }, 'master key does not open secrets');
      total += changed;
      after = last;
    } while (after !== undefined && !signal.aborted);
    if (total > 0)
      this.logger.info({ master_key_id: ring.activeId, secrets_count: total }, 'secrets re-encrypted');
  }
}
