import { ContractError, type In, type StorageUsage, type storage } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { StorageLimits } from './retention.service.js';
import { WorkspaceStorageStore } from './workspace-storage.store.js';

/** What the evidence of a workspace takes, and what is decided about it. */
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
      `The runs of the workspace store ${bytes} bytes of evidence, and may store ${max}. Delete runs (agentclash run delete), or have the operator raise WORKSPACE_EVIDENCE_BYTES_MAX.`,
      { evidence_bytes: bytes, evidence_bytes_max: max },
    );
  }
}
