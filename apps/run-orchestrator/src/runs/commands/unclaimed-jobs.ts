import type { execution, In } from '@agentclash/contracts';
import { startsAttempts } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { RunCompletion } from '../changes/run-completion.js';
import { ScoreRequests } from '../changes/score-requests.js';
import { recordUnclaimedEnd } from '../state/attempt-move.js';
import { interruptedResult } from '../state/delivery-end.js';
import { progressOf } from '../state/progress.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun } from '../state/run-facts.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';

const RESULT = interruptedResult({
  outcome: 'infra_error',
  code: 'job_failed',
  message: 'No executor could take the attempt up.',
  lastSequence: 0,
});
const END = { outcome: 'infra_error', reason: 'job_failed' } as const;

/** Ends attempts that no executor could take up: no agent is to blame, and they can be retried. */
@Injectable()
export class UnclaimedJobs {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly scores: ScoreRequests,
    private readonly completion: RunCompletion,
  ) {}

  async end({ run_id: runId, attempt_ids: ids }: In<typeof execution.execute>): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      if (!startsAttempts(change.status)) return;
      const unclaimed = await this.writes.finishUnclaimed(tx, runId, {
        ids,
        now: change.now,
        result: RESULT,
      });
      if (unclaimed.length === 0) return;
      if (change.status === 'queued') await this.start(change, tx);
      for (const attempt of unclaimed) recordUnclaimedEnd(change, attempt, END);
      const delivered = unclaimed.filter(({ isScored }) => !isScored).map(({ id }) => id);
      if (delivered.length > 0) await this.scores.ofAttempts(change, tx, delivered);
      change.requestDispatch('window');
      await this.completion.scoreIfComplete(change, tx);
    });
  }

  /** A run may have none at work yet. */
  private async start(change: RunChange, tx: Transaction): Promise<void> {
    const agents = await this.changes.agents(change, tx);
    change.set({ startedAt: change.now });
    moveRun(change, 'running', { counts: progressOf(agents.map(({ counts }) => counts)) });
  }
}
