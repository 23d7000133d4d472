import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { AuditStore } from './audit.store.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

export class AuditSettings {
  /** `days` 0: entries are kept for ever. */
  constructor(readonly days: number) {}
}

/** Deletes audit entries older than the retention. */
@Injectable()
export class AuditLoop extends PeriodicTask {
  constructor(store: AuditStore, { days }: AuditSettings, @Inject(LOGGER) logger: Logger) {
    super({
      run: async () => {
        if (days > 0) await store.forgetBefore(new Date(Date.now() - days * DAY_MS));
      },
      everyMs: EVERY_MS,
      firstRun: 'immediate',
      failureMessage: 'expired audit entries were not deleted',
      logger,
    });
  }
}
