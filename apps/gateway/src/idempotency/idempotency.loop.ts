import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { IdempotencyStore } from './idempotency.store.js';

const EVERY_MS = 3_600_000;
const KEPT_MS = 48 * 3_600_000;

/** Deletes expired idempotency keys. */
@Injectable()
export class IdempotencyLoop extends PeriodicTask {
  constructor(store: IdempotencyStore, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => store.forgetBefore(new Date(Date.now() - KEPT_MS)),
      everyMs: EVERY_MS,
      failureMessage: 'expired idempotency keys were not deleted',
      logger,
    });
  }
}
