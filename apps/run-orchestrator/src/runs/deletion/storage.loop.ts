import { ContractError } from '@agentclash/contracts';
import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { RunDeletions } from './run-deletions.service.js';
import { type Deletion, RunDeletionsStore } from './run-deletions.store.js';
import { RunPurges } from './run-purges.service.js';

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
