import { Bus } from '@agentclash/bus';
import { gateEvents } from '@agentclash/contracts';
import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { GateDecisionsStore } from './gate-decisions.store.js';

const EVERY_MS = 5_000;
const AT_ONCE = 100;

/** Publishes stored decisions until the stream has them. Several instances may: the stream drops repeats. */
@Injectable()
export class GateAnnouncements extends PeriodicTask {
  constructor(store: GateDecisionsStore, bus: Bus, @Inject(LOGGER) logger: Logger) {
    super({
      run: async (signal) => {
        for (const decision of await store.unannounced(AT_ONCE)) {
          if (signal.aborted) return;
          await bus.publish(gateEvents.decided, decision, `gate:${decision.comparison_id}`);
          await store.noteAnnounced(decision.comparison_id);
        }
      },
      everyMs: EVERY_MS,
      firstRun: 'immediate',
      failureMessage: 'decisions of gates were not published',
      logger,
    });
  }
}
