import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DraftsStore } from './drafts.store.js';

const EVERY_MS = 10 * 60_000;

/** Removes expired drafts; the bytes that nothing else refers to go with the sweep of artifacts. */
@Injectable()
export class DraftsLoop extends PeriodicTask {
  constructor(store: DraftsStore, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        let drafts_count = 0;
        while (!signal.aborted && (await store.removeExpired())) drafts_count += 1;
        if (drafts_count > 0) logger.info({ drafts_count }, 'expired drafts removed');
      },
      everyMs: EVERY_MS,
      firstRun: 'immediate',
      failureMessage: 'expired drafts could not be removed',
      logger,
    });
  }
}
