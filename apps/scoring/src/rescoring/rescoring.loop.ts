import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { RescoreRequests } from './rescore-requests.service.js';
import { RescoresStore } from './rescores.store.js';

const EVERY_MS = 60_000;
const STALE_AFTER_MS = 180_000;

/** Publishes the jobs of stale rescores again. */
@Injectable()
export class RescoringLoop extends PeriodicTask {
  constructor(store: RescoresStore, requests: RescoreRequests, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        for (const rescore of await store.stale(new Date(Date.now() - STALE_AFTER_MS))) {
          if (signal.aborted) return;
          await requests.enqueue(rescore);
        }
      },
      everyMs: EVERY_MS,
      failureMessage: 'stale rescores were not repaired',
      logger,
    });
  }
}
