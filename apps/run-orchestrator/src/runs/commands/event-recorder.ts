import type { DeliveryEvents, executionEvents, In } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { ScoreRequests } from '../changes/score-requests.js';
import { type DeliveryContext, freshEvents } from '../state/event-batch.js';
import type { RunChange } from '../state/run-change.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';

/** Adds the events of executors to the histories of their deliveries. */
@Injectable()
export class EventRecorder {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly scores: ScoreRequests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores the new events of a message and requests the scores of attempts that only waited for these events. */
  async record({ run_id, deliveries }: In<typeof executionEvents.emitted>): Promise<void> {
    const work = async (change: RunChange, tx: Transaction) => {
      const contexts = await this.attempts.deliveryContexts(tx, run_id, deliveries);
      const whole = deliveries.filter((batch, index) => {
        const context = contexts[index];
        if (context !== undefined) return this.append(change, { batch, context });
        const { attempt_id: attemptId, delivery } = batch;
        this.logger.error({ attempt_id: attemptId, delivery }, 'events of an unknown delivery dropped');
        return false;
      });
      if (whole.length === 0) return;
      await this.scores.ofAttempts(change, tx, [...new Set(whole.map(({ attempt_id }) => attempt_id))]);
    };
    await this.changes.join(run_id, work, deliveries.length);
  }

  /** True when these were the last events that the attempt's score waited for. */
  private append(
    change: RunChange,
    { batch, context }: { batch: DeliveryEvents; context: DeliveryContext },
  ): boolean {
    const { attempt_id: attemptId, delivery, events } = batch;
    const pending = change.numbersOf(attemptId, delivery);
    const fresh = freshEvents({ ...batch, run_id: change.run.id }, context, pending);
    if (fresh.length < events.length) {
      const dropped = events.length - fresh.length;
      this.logger.info({ attempt_id: attemptId, delivery, dropped }, 'repeated or late events dropped');
    }
    if (fresh.length === 0) return false;
    const stored = context.eventsStored + pending.size + fresh.length;
    change.append(fresh);
    return (
      context.state === 'finished' && context.current === delivery && stored >= (context.lastSequence ?? 0)
    );
  }
}
