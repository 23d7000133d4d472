import { isRanked } from '@agentclash/domain';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { ScoreRequests } from '../changes/score-requests.js';
import { interruptedResult } from '../state/delivery-state.js';
import type { RunChange } from '../state/run-change.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';

/** Requests missing scores again. */
@Injectable()
export class ScoreRepairs {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly requests: ScoreRequests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async ofAttempts(runId: string, ids: string[]): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      const due = await this.attempts.stillDue(tx, ids, change.now);
      for (const { id, isWhole } of due) if (!isWhole) await this.replaceIncompleteResult(change, tx, id);
      const again = due.map(({ id }) => id);
      if (again.length > 0) await this.requests.ofAttempts(change, tx, again);
    });
  }

  async ofRun(runId: string): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      const { scoreDueAt } = change.run;
      const isDue = scoreDueAt !== null && scoreDueAt < change.now;
      if (isDue && isRanked(change.status))
        this.requests.ofRun(change, await this.changes.agents(change, tx));
    });
  }

  /** An attempt must not be judged by half its evidence: it counts as not delivered. */
  private async replaceIncompleteResult(
    change: RunChange,
    tx: Transaction,
    attemptId: string,
  ): Promise<void> {
    const result = interruptedResult({
      outcome: 'infra_error',
      code: 'events_lost',
      message: 'Not all events of the attempt arrived.',
      lastSequence: 0,
    });
    const before = await this.writes.replaceResult(tx, attemptId, result);
    change.count(before.runAgentId, { byOutcome: { [before.outcome]: -1 } });
    change.count(before.runAgentId, { byOutcome: { infra_error: 1 } });
    this.logger.error({ attempt_id: attemptId, outcome: before.outcome }, 'events of an attempt are missing');
  }
}
