import { ContractError } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RunDeletions } from './run-deletions.service.js';
import { type Deletion, RunDeletionsStore } from './run-deletions.store.js';
import { RunPurges } from './run-purges.service.js';

export class StorageSettings {
  constructor(readonly everyMs: number) {}
}

const DELETIONS_AT_ONCE = 50;

/** Brings deletions of runs to their end. Several instances may: every step may be repeated. */
@Injectable()
export class StorageLoop implements OnApplicationBootstrap {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private isWoken = false;

  constructor(
    private readonly deletions: RunDeletions,
    private readonly purges: RunPurges,
    private readonly store: RunDeletionsStore,
    private readonly settings: StorageSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wait(this.settings.everyMs);
  }

  /** Works as soon as it can. */
  wake(): void {
    this.isWoken = true;
    if (this.working === undefined) this.wait(0);
  }

  /** Begins nothing more and waits for the step at work. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.working;
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.isWoken = false;
      this.working = this.work()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'deletions could not be listed'))
        .finally(() => {
          this.working = undefined;
          this.wait(this.isWoken ? 0 : this.settings.everyMs);
        });
    }, ms);
  }

  private async work(): Promise<void> {
    for (const deletion of await this.store.list(DELETIONS_AT_ONCE)) {
      if (this.stopping.signal.aborted) return;
      await this.proceed(deletion).catch((error: unknown) => this.note(deletion, error));
    }
  }

  private async proceed(deletion: Deletion): Promise<void> {
    if (deletion.acceptedAt === null) await this.deletions.accept(deletion);
    await this.purges.purge(deletion, this.stopping.signal);
  }

  private note({ runId: run_id }: Deletion, error: unknown): void {
    if (this.stopping.signal.aborted) return;
    const isRefused = error instanceof ContractError && error.code === 'conflict';
    if (isRefused) this.logger.info({ run_id, reason: error.message }, 'deletion of a run withdrawn');
    else this.logger.warn({ run_id, err: error }, 'deletion of a run did not proceed, it is tried again');
  }
}
