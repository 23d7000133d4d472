import type { RunStatus } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { Dispatcher } from '../changes/dispatcher.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { progressOf } from '../state/progress.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun } from '../state/run-facts.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';

/** Pauses and resumes the dispatch of a run. */
@Injectable()
export class RunPauses {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Whether the run was running and is paused now. Jobs that are out find nothing to do. */
  async pause(runId: string, actor: string): Promise<boolean> {
    return await this.changes.make(runId, async (change, tx) => {
      if (change.status !== 'running') return false;
      await this.move(change, tx, { to: 'paused', reason: `paused by ${actor}` });
      return true;
    });
  }

  /** Whether the run was paused and is running now. */
  async resume(runId: string, actor: string): Promise<boolean> {
    return await this.changes.make(runId, async (change, tx) => {
      if (change.status !== 'paused') return false;
      await this.move(change, tx, { to: 'running', reason: `resumed by ${actor}` });
      // Their jobs were taken and refused meanwhile.
      await this.writes.recallNudges(tx, runId);
      await this.dispatcher.dispatch(change, tx);
      return true;
    });
  }

  private async move(change: RunChange, tx: Transaction, { to, reason }: { to: RunStatus; reason: string }) {
    const agents = await this.changes.agents(change, tx);
    moveRun(change, to, { counts: progressOf(agents.map(({ counts }) => counts)), reason });
  }
}
