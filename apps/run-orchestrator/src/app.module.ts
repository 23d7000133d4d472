import { Blobs, LOGGER, type Logger, SweepLoop, SweepSettings } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { AttemptRows } from './attempts/attempt-rows.store.js';
import { AttemptsHandlers } from './attempts/attempts.handlers.js';
import { AttemptsService } from './attempts/attempts.service.js';
import { AttemptsStore } from './attempts/attempts.store.js';
import { DeliveryRows } from './attempts/delivery-rows.store.js';
import { PeersStore } from './attempts/peers.store.js';
import type { Config } from './config.js';
import { Database } from './database.js';
import { EvidenceBlobs } from './deletion/evidence-blobs.js';
import { EvidenceReferences } from './deletion/evidence-references.store.js';
import { EvidenceSweep } from './deletion/evidence-sweep.service.js';
import { Retention, StorageLimits } from './deletion/retention.service.js';
import { RunDeletions } from './deletion/run-deletions.service.js';
import { RunDeletionsStore } from './deletion/run-deletions.store.js';
import { RunPurges } from './deletion/run-purges.service.js';
import { StorageHandlers } from './deletion/storage.handlers.js';
import { StorageLoop, StorageSettings } from './deletion/storage.loop.js';
import { WorkspaceStorage } from './deletion/workspace-storage.service.js';
import { WorkspaceStorageStore } from './deletion/workspace-storage.store.js';
import { ArtifactUsersHandlers } from './deployments/artifact-users.handlers.js';
import { ArtifactUsersStore } from './deployments/artifact-users.store.js';
import { DeploymentReferences, ReferencedStores } from './deployments/deployment-references.js';
import { DeploymentSecrets } from './deployments/deployment-secrets.js';
import { DeploymentsHandlers } from './deployments/deployments.handlers.js';
import { DeploymentsService } from './deployments/deployments.service.js';
import { DeploymentsStore } from './deployments/deployments.store.js';
import { Dispatcher, DispatchSettings } from './dispatch/dispatcher.js';
import { ForgottenStore } from './dispatch/forgotten.store.js';
import { LoadsStore } from './dispatch/loads.store.js';
import { ReconcileLoop, ReconcileSettings } from './dispatch/reconcile.loop.js';
import { Repairs } from './dispatch/repairs.js';
import { EvidenceHandlers } from './evidence/evidence.handlers.js';
import { EvidenceService } from './evidence/evidence.service.js';
import { EvidenceStore } from './evidence/evidence.store.js';
import { ExecutorsHandlers } from './executors/executors.handlers.js';
import { Executors } from './executors/executors.service.js';
import { ExecutorsStore } from './executors/executors.store.js';
import { FleetHandlers } from './executors/fleet.handlers.js';
import { FrontDoorHandlers } from './front-door/front-door.handlers.js';
import { OrderNames } from './front-door/order-names.source.js';
import { OrderedRuns } from './front-door/ordered-runs.service.js';
import { OrderedRunsStore } from './front-door/ordered-runs.store.js';
import { OrdersService } from './front-door/orders.service.js';
import { GivenUpListener } from './given-up/given-up.listener.js';
import { GivenUpMessages } from './given-up/given-up.service.js';
import { GivenUpStore } from './given-up/given-up.store.js';
import { UntakenJobs } from './given-up/untaken-jobs.js';
import { HistoryListener } from './history/history.listener.js';
import { HistoryService } from './history/history.service.js';
import { HistoryStore } from './history/history.store.js';
import { Payloads } from './history/payloads.js';
import { HumanTurnsService } from './human-turns/human-turns.service.js';
import { HumanTurnsStore } from './human-turns/human-turns.store.js';
import { ManualPhasesService } from './human-turns/manual-phases.service.js';
import { ManualPhasesStore } from './human-turns/manual-phases.store.js';
import { ClaimPlans } from './leases/claim-plans.service.js';
import { Deliveries } from './leases/deliveries.service.js';
import { DeliveryChanges } from './leases/delivery-changes.js';
import { Finishes } from './leases/finishes.service.js';
import { LeasesHandlers } from './leases/leases.handlers.js';
import { LeaseSettings, LeasesService } from './leases/leases.service.js';
import { LiveDeliveriesHandlers } from './leases/live-deliveries.handlers.js';
import { LiveDeliveriesStore } from './leases/live-deliveries.store.js';
import { LostLeases } from './leases/lost-leases.js';
import { ParkedStore } from './leases/parked.store.js';
import { Parking } from './leases/parking.service.js';
import { Questions } from './leases/questions.service.js';
import { Resumptions } from './leases/resumptions.service.js';
import { ModelAliasesHandlers } from './model-aliases/model-aliases.handlers.js';
import { ModelAliasesService } from './model-aliases/model-aliases.service.js';
import { ModelAliasesStore } from './model-aliases/model-aliases.store.js';
import { ModelSlotsHandlers } from './model-slots/model-slots.handlers.js';
import { ModelSlotsService, SlotSettings } from './model-slots/model-slots.service.js';
import { ModelSlotsStore } from './model-slots/model-slots.store.js';
import { AgentsSource } from './plans/agents.source.js';
import { PlansSource } from './plans/plans.source.js';
import { SnapshotsStore } from './plans/snapshots.store.js';
import { VersionsSource } from './plans/versions.source.js';
import { WorkspaceResourcesSource } from './plans/workspace-resources.source.js';
import { ProfilesHandlers } from './profiles/profiles.handlers.js';
import { ProfilesService } from './profiles/profiles.service.js';
import { ProfilesStore } from './profiles/profiles.store.js';
import { AccountTests } from './provider-accounts/account-tests.service.js';
import { AccountTestsStore } from './provider-accounts/account-tests.store.js';
import { ProviderAccountsHandlers } from './provider-accounts/provider-accounts.handlers.js';
import { ProviderAccountsService } from './provider-accounts/provider-accounts.service.js';
import { ProviderAccountsStore } from './provider-accounts/provider-accounts.store.js';
import { OperatorSettings } from './resources/operator-settings.js';
import { UnboundSecrets } from './resources/unbound-secrets.source.js';
import { EndPublisher } from './runs/end-publisher.js';
import { IdsStore } from './runs/ids.store.js';
import { RetriesStore } from './runs/retries.store.js';
import { RunAnnouncer } from './runs/run-announcer.js';
import { RunCases } from './runs/run-cases.source.js';
import { RunChanges } from './runs/run-changes.service.js';
import { RunChangesStore } from './runs/run-changes.store.js';
import { RunCourse } from './runs/run-course.js';
import { RunCreation } from './runs/run-creation.service.js';
import { RunDeployments } from './runs/run-deployments.source.js';
import { RunEnds } from './runs/run-ends.js';
import { RunOrders } from './runs/run-orders.service.js';
import { RunParties } from './runs/run-parties.js';
import { RunPauses } from './runs/run-pauses.js';
import { RunRetries } from './runs/run-retries.js';
import { RunStarts } from './runs/run-starts.js';
import { RunStops } from './runs/run-stops.js';
import { RunsHandlers } from './runs/runs.handlers.js';
import { RunsService } from './runs/runs.service.js';
import { RunsStore } from './runs/runs.store.js';
import { SchemaChecks } from './schemas/schema-checks.js';
import { ScoreRepairs } from './scoring/score-repairs.js';
import { ScoreRequests } from './scoring/score-requests.js';
import { ScoresListener } from './scoring/scores.listener.js';
import { ScoresService } from './scoring/scores.service.js';
import { ScoresStore } from './scoring/scores.store.js';
import { ToolsHandlers } from './tools/tools.handlers.js';
import { ToolsService } from './tools/tools.service.js';
import { ToolsStore } from './tools/tools.store.js';

/** What answers and hears on the bus. */
export const HANDLERS = [
  ArtifactUsersHandlers,
  AttemptsHandlers,
  DeploymentsHandlers,
  EvidenceHandlers,
  ExecutorsHandlers,
  FleetHandlers,
  FrontDoorHandlers,
  GivenUpListener,
  HistoryListener,
  LeasesHandlers,
  LiveDeliveriesHandlers,
  ModelAliasesHandlers,
  ModelSlotsHandlers,
  ProfilesHandlers,
  ProviderAccountsHandlers,
  RunsHandlers,
  ScoresListener,
  StorageHandlers,
  ToolsHandlers,
];

const STORES = [
  AccountTestsStore,
  ArtifactUsersStore,
  AttemptRows,
  AttemptsStore,
  DeliveryRows,
  DeploymentsStore,
  EvidenceReferences,
  ExecutorsStore,
  ForgottenStore,
  GivenUpStore,
  HistoryStore,
  HumanTurnsStore,
  LiveDeliveriesStore,
  LoadsStore,
  ManualPhasesStore,
  ModelAliasesStore,
  ModelSlotsStore,
  OrderedRunsStore,
  ParkedStore,
  PeersStore,
  ProfilesStore,
  ProviderAccountsStore,
  RetriesStore,
  RunChangesStore,
  RunDeletionsStore,
  IdsStore,
  RunsStore,
  ScoresStore,
  SnapshotsStore,
  ToolsStore,
  WorkspaceStorageStore,
];
const SOURCES = [
  AgentsSource,
  DeploymentReferences,
  DeploymentSecrets,
  UnboundSecrets,
  OrderNames,
  Payloads,
  PlansSource,
  ReferencedStores,
  VersionsSource,
  WorkspaceResourcesSource,
];
const RUN_PARTS = [
  EndPublisher,
  RunAnnouncer,
  RunChanges,
  RunCases,
  RunCourse,
  RunCreation,
  RunDeployments,
  RunEnds,
  RunParties,
  RunPauses,
  RunRetries,
  RunStarts,
  RunStops,
];
const WORK = [
  ClaimPlans,
  Deliveries,
  DeliveryChanges,
  Dispatcher,
  Finishes,
  LostLeases,
  Parking,
  Questions,
  ReconcileLoop,
  Repairs,
  Resumptions,
  StorageLoop,
];
const SCORES = [GivenUpMessages, UntakenJobs, ScoreRepairs, ScoreRequests];
const DESKS = [
  AccountTests,
  AttemptsService,
  DeploymentsService,
  EvidenceBlobs,
  EvidenceSweep,
  EvidenceService,
  EvidenceStore,
  Executors,
  HistoryService,
  HumanTurnsService,
  LeasesService,
  ManualPhasesService,
  ModelAliasesService,
  ModelSlotsService,
  OrderedRuns,
  OrdersService,
  ProfilesService,
  ProviderAccountsService,
  Retention,
  RunDeletions,
  RunOrders,
  RunPurges,
  RunsService,
  SchemaChecks,
  ScoresService,
  ToolsService,
  WorkspaceStorage,
];

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: HANDLERS,
      providers: [
        { provide: Database, useFactory: () => new Database(config) },
        { provide: Blobs, useFactory: () => Blobs.open(config.blobs) },
        { provide: OperatorSettings, useValue: operatorSettings(config) },
        { provide: DispatchSettings, useValue: new DispatchSettings(config.WORKSPACE_MAX_CONCURRENT) },
        { provide: LeaseSettings, useValue: new LeaseSettings(config.LEASE_MS) },
        { provide: SlotSettings, useValue: new SlotSettings(config.SLOT_LEASE_MS) },
        { provide: StorageSettings, useValue: new StorageSettings(config.RECONCILE_MS) },
        { provide: StorageLimits, useValue: storageLimits(config) },
        { provide: SweepSettings, useValue: new SweepSettings(config) },
        {
          provide: SweepLoop,
          useFactory: (sweeps: EvidenceSweep, settings: SweepSettings, logger: Logger) =>
            new SweepLoop('evidence', (signal) => sweeps.all(signal), settings, logger),
          inject: [EvidenceSweep, SweepSettings, LOGGER],
        },
        { provide: ReconcileSettings, useValue: new ReconcileSettings(config.RECONCILE_MS) },
        ...STORES,
        ...SOURCES,
        ...RUN_PARTS,
        ...WORK,
        ...SCORES,
        ...DESKS,
      ],
    };
  }
}

function operatorSettings({ egress, CREDENTIALS_ENV }: Config): OperatorSettings {
  return new OperatorSettings({ egress, credentialsEnv: CREDENTIALS_ENV });
}

function storageLimits({ RETENTION_DAYS, WORKSPACE_EVIDENCE_BYTES_MAX: bytes }: Config): StorageLimits {
  return new StorageLimits(RETENTION_DAYS ?? null, bytes === 0 ? null : bytes);
}
