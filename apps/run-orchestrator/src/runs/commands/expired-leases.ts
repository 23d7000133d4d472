import { hasRunEnded } from '@agentclash/domain';
import { interruptedResult, WORKER_LOST } from '@agentclash/run-rules';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { closingEvents } from '../state/closing-events.js';
import { recordedSpending } from '../state/recorded-spending.js';
import type { RunChange } from '../state/run-change.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import type { AttemptOfRun } from '../store/attempts/stale-attempts.store.js';
import { HistoryStore } from '../store/history.store.js';
import { Payloads } from '../store/payloads.js';
import { Deliveries } from './deliveries.service.js';

const WHY = { code: WORKER_LOST, message: 'The executor of this delivery did not report back in time.' };

/** Ends deliveries whose executor is lost: closes their open activities and retries or finishes the attempt. */
@Injectable()
export class ExpiredLeases {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly history: HistoryStore,
    private readonly payloads: Payloads,
    private readonly deliveries: Deliveries,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async end({ id, runId }: AttemptOfRun): Promise<void> {
    await this.changes.make(runId, (change, tx) => this.close(change, tx, id));
  }

  private async close(change: RunChange, tx: Transaction, attemptId: string): Promise<void> {
    const lost = await this.attempts.lockExpired(tx, attemptId, change.now);
    if (!lost) return;
    const { delivery, runAgentId, caseKey, repetition, executorId } = lost;
    this.logger.warn({ attempt_id: attemptId, delivery, executor_id: executorId }, 'lease expired');
    const { facts, lastSequence } = await this.history.openings(tx, attemptId, delivery);
    const isOver = hasRunEnded(change.status) || change.isHalted(runAgentId);
    const outcome = isOver ? 'cancelled' : 'infra_error';
    const result = interruptedResult({ outcome, ...WHY, lastSequence });
    const holder = { attemptId, delivery };
    const after = await this.deliveries.decide(change, tx, { holder, result, runAgentId });
    const whole = await Promise.all(
      facts.map(async (fact) => ({ ...fact, payload: await this.payloads.read(fact.payload) })),
    );
    const closing = closingEvents(whole, lastSequence, {
      identity: {
        run_id: change.run.id,
        run_agent_id: runAgentId,
        attempt_id: attemptId,
        delivery,
        case_key: caseKey,
        repetition,
      },
      outcome,
      why: WHY,
      willRetry: after.next === 'queued',
      now: change.now,
    });
    change.append(
      await Promise.all(
        closing.map(async (event) => ({
          ...event,
          payload: await this.payloads.rest(event.payload, event.event_type),
        })),
      ),
    );
    const { error } = result;
    const isLast = after.next === 'finished';
    const ended = {
      ...result,
      ...recordedSpending(whole),
      error:
        error && isLast ? { ...error, message: `${error.message} ${lastDeliveryNote(delivery)}` } : error,
      last_sequence: lastSequence + closing.length,
    };
    await this.deliveries.end(change, tx, [{ holder, result: ended, after }]);
  }
}

function lastDeliveryNote(deliveries: number): string {
  return deliveries === 1 ? 'It was its only delivery.' : `It was the last of ${deliveries} deliveries.`;
}
