import { Bus } from '@agentclash/bus';
import { ContractError, type In, type runs, scoredRuns } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { RunEndPublisher } from '../changes/outbox-publisher.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { type Deletion, RunDeletionsStore } from './run-deletions.store.js';

/** Deletes runs that have ended. */
@Injectable()
export class RunDeletions {
  constructor(
    private readonly store: RunDeletionsStore,
    private readonly changes: RunChanges,
    private readonly ends: RunEndPublisher,
    private readonly bus: Bus,
  ) {}

  /**
   * No reader finds the run once this has returned; what is stored of it is removed in the background. Fails with
   * `not_found`, with `conflict` for a run that has not ended or is needed, and with `unavailable`: the request stays on
   * record then and is repeated.
   */
  async remove({ workspace_id: workspaceId, run_id: runId, actor }: In<typeof runs.remove>): Promise<void> {
    const deletion = await this.changes.make(runId, async ({ run, status }, tx) => {
      if (run.workspaceId !== workspaceId) throw noSuchRun(runId);
      if (run.finishedAt === null)
        throw new ContractError(
          'conflict',
          `The run ${runId} is ${status}: only a run that has ended can be deleted. Cancel it first: agentclash run cancel ${runId}`,
        );
      return await this.store.request(tx, { runId, workspaceId, requestedBy: actor });
    });
    await this.accept(deletion);
  }

  /** Has scoring release the run, then hides it. Fails with `conflict`, and then the request is withdrawn. */
  async accept(deletion: Deletion): Promise<void> {
    const { runId: run_id, workspaceId: workspace_id } = deletion;
    await this.ends.publish(run_id);
    try {
      await this.bus.call(scoredRuns.release, { workspace_id, run_id });
    } catch (error) {
      if (error instanceof ContractError && error.code === 'conflict') await this.store.withdraw(deletion);
      throw error;
    }
    await this.store.accept(deletion);
  }
}

function noSuchRun(runId: string): ContractError {
  return new ContractError('not_found', `There is no run ${runId}.`);
}
