import { ContractError, type In, type StorageUsage, type storage } from '@agentclash/contracts';
import { formatBytes } from '@agentclash/domain';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { RunDeletions } from './run-deletions.service.js';
import { WorkspaceStorageStore } from './workspace-storage.store.js';

const RUNS_AT_ONCE = 100;
const ACTOR = 'retention';
/** Comes before every run. */
const NO_RUN = '00000000-0000-0000-0000-000000000000';

export class StorageLimits {
  constructor(
    /** Where a workspace has decided nothing; null: runs are kept. */
    readonly retentionDays: number | null,
    /** Stored evidence of one workspace beyond which no run is created; null: no limit. */
    readonly evidenceBytesMax: number | null,
  ) {}
}

/** Deletes runs that ended longer ago than their workspace keeps them. */
@Injectable()
export class Retention {
  constructor(
    private readonly store: WorkspaceStorageStore,
    private readonly deletions: RunDeletions,
    private readonly limits: StorageLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** How many runs were deleted, and how many are due but held: by a baseline, or while they are scored again. */
  async apply(signal: AbortSignal): Promise<{ deleted: number; held: number }> {
    const counts = { deleted: 0, held: 0 };
    for (let after = NO_RUN; ; ) {
      const due = await this.store.expired(this.limits.retentionDays, after, RUNS_AT_ONCE);
      for (const { id: run_id, workspaceId: workspace_id } of due) {
        signal.throwIfAborted();
        try {
          await this.deletions.remove({ workspace_id, run_id, actor: ACTOR });
          counts.deleted += 1;
        } catch (error) {
          if (!(error instanceof ContractError) || error.code === 'unavailable') throw error;
          counts.held += 1;
        }
      }
      after = due.at(-1)?.id ?? after;
      if (due.length < RUNS_AT_ONCE) break;
    }
    if (counts.deleted + counts.held > 0) this.logger.info(counts, 'expired runs deleted');
    return counts;
  }
}

/** The size of a workspace's evidence, and the decisions about it. */
@Injectable()
export class WorkspaceStorage {
  constructor(
    private readonly store: WorkspaceStorageStore,
    private readonly limits: StorageLimits,
  ) {}

  async usage({ workspace_id: workspaceId }: In<typeof storage.usage>): Promise<StorageUsage> {
    const [{ runs, bytes }, own] = await Promise.all([
      this.store.usage(workspaceId),
      this.store.retentionDays(workspaceId),
    ]);
    return {
      runs,
      evidence_bytes: bytes,
      evidence_bytes_max: this.limits.evidenceBytesMax,
      retention_days: own === undefined ? this.limits.retentionDays : own,
      retention_set_by: own === undefined ? 'operator' : 'workspace',
    };
  }

  async configure({ workspace_id, settings, actor }: In<typeof storage.configure>): Promise<StorageUsage> {
    await this.store.setRetention(workspace_id, settings.retention_days, actor);
    return await this.usage({ workspace_id });
  }

  /** Fails with `storage_full` when the workspace stores as much as it may. */
  async checkQuota(workspaceId: string): Promise<void> {
    const { evidenceBytesMax: max } = this.limits;
    if (max === null) return;
    const bytes = await this.store.evidenceBytes(workspaceId);
    if (bytes < max) return;
    throw new ContractError(
      'storage_full',
      `The runs of the workspace store ${formatBytes(bytes)} of evidence, and may store ${formatBytes(max)}. Delete runs (agentclash run delete), or have the operator raise WORKSPACE_EVIDENCE_BYTES_MAX.`,
      { evidence_bytes: bytes, evidence_bytes_max: max },
    );
  }
}
