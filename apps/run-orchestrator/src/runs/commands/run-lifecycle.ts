import { hasRunEnded, type RunStatus } from '@agentclash/domain';
import { progressOf } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { Dispatcher, sendJobs } from '../changes/dispatcher.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { FINISHED_AT_ONCE, RunTermination } from '../changes/run-termination.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun, recordCreation } from '../state/state-moves.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';

/** Starts and stops the attempts of a run. */
@Injectable()
export class RunLifecycle {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly dispatcher: Dispatcher,
    private readonly termination: RunTermination,
  ) {}

  /** Dispatches what may be dispatched; a new run's history begins with it. */
  async launch(runId: string): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      if (change.run.eventSequence === 0) recordCreation(change, await this.progress(change, tx));
      await this.dispatcher.dispatch(change, tx);
    });
  }

  /** Sends jobs again for those of the attempts whose last one is older than `before` and still unclaimed. */
  async resendJobs(runId: string, ids: string[], before: Date): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      const again = await this.writes.resendJobs(tx, ids, { before, now: change.now });
      sendJobs(change, again);
    });
  }

  /** True when the run is cancelled now; a run that ended otherwise is not. */
  async cancel(runId: string, actor: string): Promise<boolean> {
    const isCancelled = await this.changes.make(runId, async (change, tx) => {
      if (hasRunEnded(change.status)) return change.status === 'cancelled';
      await this.termination.stop(change, tx, 'cancelled', `cancelled by ${actor}`);
      return true;
    });
    // Anything beyond one batch is left to the reconcile loop: the caller does not wait for it.
    if (isCancelled)
      await this.changes.make(runId, (change, tx) => this.termination.finishWaiting(change, tx));
    return isCancelled;
  }

  /** Finishes all that a stopped run never started, some at a time. */
  async finishWaiting(runId: string): Promise<void> {
    for (;;) {
      const count = await this.changes.make(runId, (change, tx) =>
        this.termination.finishWaiting(change, tx),
      );
      if (count < FINISHED_AT_ONCE) return;
    }
  }

  private async progress(change: RunChange, tx: Transaction) {
    return progressOf((await this.changes.agents(change, tx)).map(({ counts }) => counts));
  }
}

/** Pauses and resumes the dispatch of a run. */
@Injectable()
export class RunPauses {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** True when the run was running and is paused now. Jobs that are out find nothing to do. */
  async pause(runId: string, actor: string): Promise<boolean> {
    return await this.changes.make(runId, async (change, tx) => {
      if (change.status !== 'running') return false;
      await this.move(change, tx, { to: 'paused', reason: `paused by ${actor}` });
      return true;
    });
  }

  /** True when the run was paused and is running now. */
  async resume(runId: string, actor: string): Promise<boolean> {
    return await this.changes.make(runId, async (change, tx) => {
      if (change.status !== 'paused') return false;
      await this.move(change, tx, { to: 'running', reason: `resumed by ${actor}` });
      // Their jobs were taken and refused meanwhile.
      await this.writes.recallJobs(tx, runId);
      await this.dispatcher.dispatch(change, tx);
      return true;
    });
  }

  private async move(change: RunChange, tx: Transaction, { to, reason }: { to: RunStatus; reason: string }) {
    const agents = await this.changes.agents(change, tx);
    moveRun(change, to, { counts: progressOf(agents.map(({ counts }) => counts)), reason });
  }
}
