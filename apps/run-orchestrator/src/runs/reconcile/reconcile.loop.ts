import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type Repair, Repairs } from './repairs.js';

export class ReconcileSettings {
  constructor(readonly everyMs: number) {}
}

/** Finds and repairs what a lost message or process left behind. Several instances may: every repair is conditional. */
@Injectable()
export class ReconcileLoop extends PeriodicTask {
  constructor(repairs: Repairs, { everyMs }: ReconcileSettings, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        for (const repair of repairs.all) if (!signal.aborted) await reconcile(repair, signal, logger);
      },
      everyMs,
      failureMessage: 'reconciliation failed',
      logger,
    });
  }
}

async function reconcile({ name, find }: Repair, signal: AbortSignal, logger: Logger): Promise<void> {
  try {
    for (const apply of await find(new Date())) {
      if (signal.aborted) return;
      await apply().catch((error: unknown) => logger.warn({ err: error, repair: name }, 'repair failed'));
    }
  } catch (error) {
    logger.warn({ err: error, repair: name }, 'reconcile query failed');
  }
}
