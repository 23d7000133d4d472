import { executionEvents } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import { interruptedResult } from '../leases/delivery-end.js';
import { ScoreRequests } from '../scoring/score-requests.js';
import { progressOf } from './progress.js';
import type { RunChange } from './run-change.js';
import { RunChangesStore } from './run-changes.store.js';
import { RunEnds } from './run-ends.js';
import { moveRun } from './run-facts.js';
import { countUntaken } from './untaken.js';

/** Waiting attempts that one transaction finishes. */
export const FINISHED_AT_ONCE = 5_000;

/** Ends a run before all its attempts have ended: by a person's cancel, or because nothing can come of it. */
@Injectable()
export class RunStops {
  constructor(
    private readonly store: RunChangesStore,
    private readonly attempts: AttemptsStore,
    private readonly scores: ScoreRequests,
    private readonly ends: RunEnds,
  ) {}

  /** Executors end what they work on; attempts that wait are finished by `finishWaiting`, here or in the reconcile loop. */
  async stop(change: RunChange, tx: Transaction, to: 'cancelled' | 'failed', reason: string): Promise<void> {
    const agents = await this.store.agents(change, tx);
    moveRun(change, to, { counts: progressOf(agents.map(({ counts }) => counts)), reason });
    const { id } = change.run;
    change.publish(executionEvents.cancelled, { run_id: id }, `cancelled:${id}:${change.run.round}`);
    await this.ends.endIfStopped(change, tx);
  }

  /** Finishes attempts of a stopped run that were never started, some at a time; how many. */
  async finishWaiting(change: RunChange, tx: Transaction): Promise<number> {
    const { run, now } = change;
    if (!change.isStopping) return 0;
    const result = interruptedResult({
      outcome: 'cancelled',
      code: 'cancelled',
      message: '',
      lastSequence: 0,
    });
    const finished = await this.attempts.cancelQueued(tx, run.id, { result, now, take: FINISHED_AT_ONCE });
    if (finished.length === 0) return 0;
    const end = { outcome: 'cancelled', reason: 'cancelled' } as const;
    for (const attempt of finished) countUntaken(change, attempt, end);
    const delivered = finished.filter(({ isScored }) => !isScored).map(({ id }) => id);
    if (delivered.length > 0) await this.scores.ofAttempts(change, tx, delivered);
    await this.ends.endIfStopped(change, tx);
    return finished.length;
  }
}
