import { Bus } from '@agentclash/bus';
import { auditJobs } from '@agentclash/contracts';
import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { AuditWorkStore } from './audit-work.store.js';

/** A job is a hint: what was lost is sent again by a later run. */
const EVERY_MS = 2_000;

/** Sends the jobs of queued audits, and takes audits back whose executor stopped. */
@Injectable()
export class AuditLoop extends PeriodicTask {
  constructor(store: AuditWorkStore, bus: Bus, @Inject(LOGGER) logger: Logger) {
    super({
      run: async () => {
        const { requeued, failed } = await store.expire();
        if (requeued > 0)
          logger.warn({ audits_count: requeued }, 'executors of audits stopped, audits are queued again');
        if (failed > 0) logger.warn({ audits_count: failed }, 'audits failed with their executors');
        const due = await store.takeDue();
        await Promise.all(
          due.map(async ({ id, delivery, sentAt }) => {
            try {
              await bus.send(auditJobs.run, { audit_id: id }, `audit:${id}:${delivery}:${sentAt.getTime()}`);
            } catch (error) {
              await store.unsend(id);
              throw error;
            }
          }),
        );
      },
      everyMs: EVERY_MS,
      firstRun: 'immediate',
      failureMessage: 'queued audits could not be sent',
      logger,
    });
  }
}
