import { executionEvents } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import { Dispatcher, sendJobs } from '../dispatch/dispatcher.js';
import { interruptedResult } from '../leases/delivery-end.js';
import { ScoreRequests } from '../scoring/score-requests.js';
import { progressOf } from './progress.js';
import type { RunChange } from './run-change.js';
import { RunChanges } from './run-changes.service.js';
import { RunEnds } from './run-ends.js';
import { moveRun, recordCreation } from './run-facts.js';
import { isRunOver } from './run-state.js';
import { countUntaken } from './untaken.js';

/** Waiting attempts that one transaction cancels. */
const CANCELLED_AT_ONCE = 5_000;

/** What sets a run's attempts going and what stops them. */
@Injectable()
export class RunCourse {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptsStore,
    private readonly dispatcher: Dispatcher,
    private readonly scores: ScoreRequests,
    private readonly ends: RunEnds,
  ) {}

  /** Hands out what may be handed out; a new run's history begins with it. */
  async launch(runId: string): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      if (change.run.eventSequence === 0) recordCreation(change, await this.progress(change, tx));
      await this.dispatcher.dispatch(change, tx);
    });
  }

  /** Sends jobs again for those of the attempts whose last one is older than `before` and still unclaimed. */
  async nudgeAgain(runId: string, ids: string[], before: Date): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      const again = await this.attempts.nudgeAgain(tx, ids, { before, now: change.now });
      sendJobs(change, again);
    });
  }

  /** Whether the run is cancelled now; a run that ended otherwise is not. */
  async cancel(runId: string, actor: string): Promise<boolean> {
    const isCancelled = await this.changes.make(runId, async (change, tx) => {
      if (isRunOver(change.status)) return change.status === 'cancelled';
      moveRun(change, 'cancelled', {
        counts: await this.progress(change, tx),
        reason: `cancelled by ${actor}`,
      });
      change.publish(executionEvents.cancelled, { run_id: runId }, `cancelled:${runId}`);
      await this.ends.endIfCancelled(change, tx);
      return true;
    });
    // What is more than one helping is left to the reconcile loop: whoever asked does not wait for it.
    if (isCancelled) await this.changes.make(runId, (change, tx) => this.cancelSome(change, tx));
    return isCancelled;
  }

  /** Finishes all that a cancelled run never started, some at a time. */
  async cancelWaiting(runId: string): Promise<void> {
    for (;;) {
      const count = await this.changes.make(runId, (change, tx) => this.cancelSome(change, tx));
      if (count < CANCELLED_AT_ONCE) return;
    }
  }

  private async cancelSome(change: RunChange, tx: Transaction): Promise<number> {
    const { run, now } = change;
    if (change.status !== 'cancelled') return 0;
    const result = interruptedResult({
      outcome: 'cancelled',
      code: 'cancelled',
      message: '',
      lastSequence: 0,
    });
    const finished = await this.attempts.cancelQueued(tx, run.id, { result, now, take: CANCELLED_AT_ONCE });
    if (finished.length === 0) return 0;
    const end = { outcome: 'cancelled', reason: 'cancelled' } as const;
    for (const attempt of finished) countUntaken(change, attempt, end);
    const delivered = finished.filter(({ isScored }) => !isScored).map(({ id }) => id);
    if (delivered.length > 0) await this.scores.ofAttempts(change, tx, delivered);
    await this.ends.endIfCancelled(change, tx);
    return finished.length;
  }

  private async progress(change: RunChange, tx: Transaction) {
    return progressOf((await this.changes.agents(change, tx)).map(({ counts }) => counts));
  }
}
