import { Bus } from '@agentclash/bus';
import { ContractError, REMOVED_ATTEMPTS_MAX, scoredRuns, vault } from '@agentclash/contracts';
import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { EvidenceBlobs } from './evidence-sweep.service.js';
import { RunDeletions } from './run-deletions.service.js';
import { type Deletion, RunDeletionsStore } from './run-deletions.store.js';

/**
 * Removes what is stored of a deleted run, in every service. Each step may be repeated; the last one closes the deletion.
 * Stops between two of them when the signal is aborted.
 */
@Injectable()
export class RunPurges {
  constructor(
    private readonly store: RunDeletionsStore,
    private readonly attempts: AttemptReads,
    private readonly attemptWrites: AttemptWrites,
    private readonly evidence: EvidenceBlobs,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async purge({ runId: run_id, workspaceId: workspace_id }: Deletion, signal: AbortSignal): Promise<void> {
    await this.bus.call(vault.revoke, { workspace_id, run_id });
    const counts = { attempts: 0, scoring_rows: 0, events: 0 };
    for (;;) {
      signal.throwIfAborted();
      const attempt_ids = await this.attempts.idsOfRun(run_id, REMOVED_ATTEMPTS_MAX);
      const { rows } = await this.bus.call(scoredRuns.purge, { workspace_id, run_id, attempt_ids });
      counts.scoring_rows += rows;
      // Only now: the ids name what scoring has to remove.
      counts.attempts += await this.attemptWrites.remove(attempt_ids);
      if (attempt_ids.length < REMOVED_ATTEMPTS_MAX) break;
    }
    for (let removed: number; ; counts.events += removed) {
      signal.throwIfAborted();
      removed = await this.store.removeEvents(run_id);
      if (removed === 0) break;
    }
    const evidence = await this.evidence.removeOfRun(run_id, signal);
    counts.events += await this.store.close(run_id);
    this.logger.info({ run_id, workspace_id, ...counts, ...evidence }, 'deleted run removed');
  }
}

export class StorageSettings {
  constructor(readonly everyMs: number) {}
}

const DELETIONS_AT_ONCE = 50;

/** Cleanup after deleted runs: completes their deletion. Several instances may: every step may be repeated. */
@Injectable()
export class StorageLoop extends PeriodicTask {
  constructor(
    private readonly deletions: RunDeletions,
    private readonly purges: RunPurges,
    private readonly store: RunDeletionsStore,
    { everyMs }: StorageSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({
      run: (signal) => this.completeAll(signal),
      everyMs,
      failureMessage: 'deletions of runs were not listed',
      logger,
    });
  }

  private async completeAll(signal: AbortSignal): Promise<void> {
    for (const deletion of await this.store.list(DELETIONS_AT_ONCE)) {
      if (signal.aborted) return;
      try {
        if (deletion.acceptedAt === null) await this.deletions.accept(deletion);
        await this.purges.purge(deletion, signal);
      } catch (error) {
        if (!signal.aborted) this.log(deletion, error);
      }
    }
  }

  private log({ runId: run_id }: Deletion, error: unknown): void {
    const isRefused = error instanceof ContractError && error.code === 'conflict';
    if (isRefused) this.logger.info({ run_id, reason: error.message }, 'deletion of a run withdrawn');
    else this.logger.warn({ run_id, err: error }, 'deletion of a run failed and will be retried');
  }
}
