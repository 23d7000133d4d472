import { LOGGER, type Logger, SweepLoop, SweepSettings } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { RunAdmission, RunDeployments } from './admission/candidate-agents.js';
import { RunCases } from './admission/run-cases.source.js';
import { AttemptsService } from './attempts.service.js';
import { Dispatcher } from './changes/dispatcher.js';
import { OutboxPublisher, RunEndPublisher } from './changes/outbox-publisher.js';
import { RunChanges } from './changes/run-changes.service.js';
import { RunCompletion } from './changes/run-completion.js';
import { RunTermination } from './changes/run-termination.js';
import { ScoreRequests } from './changes/score-requests.js';
import { DeadLetters, UnclaimedJobs } from './commands/dead-letters.service.js';
import { Deliveries } from './commands/deliveries.service.js';
import { DeliveryChanges } from './commands/delivery-changes.js';
import { DeliveryFinisher } from './commands/delivery-finisher.js';
import { EventsListener } from './commands/events.listener.js';
import { ExpiredLeases } from './commands/expired-leases.js';
import { HumanTurnsService, ManualPhasesService } from './commands/human-turns.service.js';
import { LeasesHandlers } from './commands/leases.handlers.js';
import { LeasesService } from './commands/leases.service.js';
import { ParkedDeliveries } from './commands/parked-deliveries.service.js';
import { ClaimPlans, PlansSource } from './commands/plans.source.js';
import { RunCreation, RunStarter } from './commands/run-creation.service.js';
import { RunLifecycle, RunPauses } from './commands/run-lifecycle.js';
import { RunRetries } from './commands/run-retries.js';
import { ScoreRepairs, ScoresService } from './commands/scores.service.js';
import { EvidenceReferences } from './deletion/evidence-references.store.js';
import { EvidenceBlobs, EvidenceSweep } from './deletion/evidence-sweep.service.js';
import { RunDeletions } from './deletion/run-deletions.service.js';
import { RunDeletionsStore } from './deletion/run-deletions.store.js';
import { StorageHandlers } from './deletion/storage.handlers.js';
import { RunPurges, StorageLoop } from './deletion/storage.loop.js';
import { Retention, WorkspaceStorage } from './deletion/workspace-storage.service.js';
import { WorkspaceStorageStore } from './deletion/workspace-storage.store.js';
import { ExecutorsHandlers } from './executors/executors.handlers.js';
import { Executors } from './executors/executors.service.js';
import { ExecutorsStore } from './executors/executors.store.js';
import { ModelSlotsService } from './model-slots/model-slots.service.js';
import { ModelSlotsStore } from './model-slots/model-slots.store.js';
import { AgentsSource } from './plans/agents.source.js';
import { VersionsSource } from './plans/versions.source.js';
import { WorkspaceResourcesSource } from './plans/workspace-resources.source.js';
import { EvidenceService } from './queries/evidence.service.js';
import { HistoryService } from './queries/history.service.js';
import { LiveDeliveriesHandlers } from './queries/live-deliveries.handlers.js';
import { ReconcileLoop, Repairs } from './reconcile/reconcile.loop.js';
import { RunsHandlers } from './runs.handlers.js';
import { RunsService } from './runs.service.js';
import { AttemptReads } from './store/attempts/attempt-reads.store.js';
import { AttemptWrites } from './store/attempts/attempt-writes.store.js';
import { HistoryStore } from './store/history.store.js';
import { HumanTurnsStore, ManualPhasesStore } from './store/human-turns.store.js';
import { Payloads } from './store/payloads.js';
import { RunChangesStore } from './store/run-changes.store.js';
import { RunsStore } from './store/runs.store.js';
import { SnapshotsStore } from './store/snapshots.store.js';

const RUNS_HANDLERS = [
  AttemptsService,
  EventsListener,
  EvidenceService,
  ExecutorsHandlers,
  DeadLetters,
  LeasesHandlers,
  LiveDeliveriesHandlers,
  ModelSlotsService,
  RunsHandlers,
  StorageHandlers,
];

const ADMISSION = [RunCases, RunDeployments, RunAdmission];

const CHANGES = [
  Dispatcher,
  RunEndPublisher,
  OutboxPublisher,
  RunChanges,
  RunCompletion,
  RunTermination,
  ScoreRequests,
];

const COMMANDS = [
  ParkedDeliveries,
  ClaimPlans,
  Deliveries,
  DeliveryChanges,
  DeliveryFinisher,
  HumanTurnsService,
  LeasesService,
  ExpiredLeases,
  ManualPhasesService,
  PlansSource,
  RunLifecycle,
  RunCreation,
  RunPauses,
  RunRetries,
  RunStarter,
  ScoreRepairs,
  ScoresService,
  UnclaimedJobs,
];

const DELETION = [
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
];

const EXECUTORS = [Executors, ExecutorsStore];

const MODEL_SLOTS = [ModelSlotsStore];

const PLANS = [AgentsSource, VersionsSource, WorkspaceResourcesSource];

const QUERIES = [HistoryService];

const RECONCILE = [ReconcileLoop, Repairs];

const SERVICES = [RunsService];

const STORES = [
  AttemptReads,
  AttemptWrites,
  HistoryStore,
  HumanTurnsStore,
  ManualPhasesStore,
  Payloads,
  RunChangesStore,
  RunsStore,
  SnapshotsStore,
];

/** The run engine. */
@Module({
  imports: [CatalogueModule],
  controllers: RUNS_HANDLERS,
  providers: [
    ...ADMISSION,
    ...CHANGES,
    ...COMMANDS,
    ...DELETION,
    ...EXECUTORS,
    ...MODEL_SLOTS,
    ...PLANS,
    ...QUERIES,
    ...RECONCILE,
    ...SERVICES,
    ...STORES,
    {
      provide: SweepLoop,
      useFactory: (sweeps: EvidenceSweep, settings: SweepSettings, logger: Logger) =>
        new SweepLoop('evidence', (signal) => sweeps.all(signal), settings, logger),
      inject: [EvidenceSweep, SweepSettings, LOGGER],
    },
  ],
  exports: [RunsService, RunsStore],
})
export class RunsModule {}
