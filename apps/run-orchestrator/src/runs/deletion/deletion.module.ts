import { LOGGER, type Logger, SweepLoop, SweepSettings } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { StoreModule } from '../store/store.module.js';
import { EvidenceReferences } from './evidence-references.store.js';
import { EvidenceBlobs, EvidenceSweep } from './evidence-sweep.service.js';
import { RunDeletions } from './run-deletions.service.js';
import { RunDeletionsStore } from './run-deletions.store.js';
import { StorageHandlers } from './storage.handlers.js';
import { RunPurges, StorageLoop } from './storage.loop.js';
import { Retention, WorkspaceStorage } from './workspace-storage.service.js';
import { WorkspaceStorageStore } from './workspace-storage.store.js';

/** Deletion of runs, retention, and the storage of workspaces. */
@Module({
  imports: [ChangesModule, StoreModule],
  controllers: [StorageHandlers],
  providers: [
    EvidenceBlobs,
    EvidenceReferences,
    EvidenceSweep,
    Retention,
    RunDeletions,
    RunDeletionsStore,
    RunPurges,
    StorageLoop,
    WorkspaceStorage,
    WorkspaceStorageStore,
    {
      provide: SweepLoop,
      useFactory: (sweeps: EvidenceSweep, settings: SweepSettings, logger: Logger) =>
        new SweepLoop('evidence', (signal) => sweeps.all(signal), settings, logger),
      inject: [EvidenceSweep, SweepSettings, LOGGER],
    },
  ],
  exports: [RunDeletions, RunDeletionsStore, StorageLoop, WorkspaceStorage],
})
export class DeletionModule {}
