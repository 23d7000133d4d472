import { executionEvents } from '@agentclash/contracts';
import { interruptedResult, progressOf } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun, recordUnclaimedEnd } from '../state/state-moves.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { RunChangesStore } from '../store/run-changes.store.js';
import { RunCompletion } from './run-completion.js';
import { ScoreRequests } from './score-requests.js';

/** Waiting attempts that one transaction finishes. */
export const FINISHED_AT_ONCE = 5_000;

/** Ends a run before all its attempts have ended: by a person's cancel, or because nothing can come of it. */
@Injectable()
export class RunTermination {
  constructor(
    private readonly store: RunChangesStore,
    private readonly writes: AttemptWrites,
    private readonly scores: ScoreRequests,
    private readonly completion: RunCompletion,
  ) {}

  /** Executors end what they work on; attempts that wait are finished by `finishWaiting`, here or in the reconcile loop. */
  async stop(change: RunChange, tx: Transaction, to: 'cancelled' | 'failed', reason: string): Promise<void> {
    const agents = await this.store.agents(change, tx);
    moveRun(change, to, { counts: progressOf(agents.map(({ counts }) => counts)), reason });
    const { id } = change.run;
    change.publish(executionEvents.cancelled, { run_id: id }, `cancelled:${id}:${change.run.round}`);
    await this.completion.endIfStopped(change, tx);
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
    const finished = await this.writes.finishQueued(tx, run.id, { result, now, take: FINISHED_AT_ONCE });
    if (finished.length === 0) return 0;
    const end = { outcome: 'cancelled', reason: 'cancelled' } as const;
    for (const attempt of finished) recordUnclaimedEnd(change, attempt, end);
    const delivered = finished.filter(({ isScored }) => !isScored).map(({ id }) => id);
    if (delivered.length > 0) await this.scores.ofAttempts(change, tx, delivered);
    await this.completion.endIfStopped(change, tx);
    return finished.length;
  }
}
