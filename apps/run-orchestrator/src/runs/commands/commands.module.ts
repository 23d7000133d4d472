import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { DeletionModule } from '../deletion/deletion.module.js';
import { ExecutorsModule } from '../executors/executors.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { QueriesModule } from '../queries/queries.module.js';
import { StoreModule } from '../store/store.module.js';
import { ClaimsService } from './claims.service.js';
import { DeadLetters, UnclaimedJobs } from './dead-letters.service.js';
import { Deliveries } from './deliveries.service.js';
import { DeliveryChanges } from './delivery-changes.js';
import { DeliveryFinisher } from './delivery-finisher.js';
import { EventRecorder } from './event-recorder.js';
import { EventsListener } from './events.listener.js';
import { ExpiredLeases } from './expired-leases.js';
import { HeldDeliveries } from './held-deliveries.service.js';
import { HumanTurnsService, ManualPhasesService } from './human-turns.service.js';
import { LeasesHandlers } from './leases.handlers.js';
import { LeasesService } from './leases.service.js';
import { ParkedDeliveries } from './parked-deliveries.service.js';
import { ClaimPlans, PlansSource } from './plans.source.js';
import { RaceDecisions } from './race-decisions.js';
import { RunCreation, RunStarter } from './run-creation.service.js';
import { RunEdits } from './run-edits.js';
import { RunLifecycle, RunPauses } from './run-lifecycle.js';
import { RunRetries } from './run-retries.js';
import { ScoreRepairs, ScoresService } from './scores.service.js';

/** Creation and life of runs, and the leases of their attempts. */
@Module({
  imports: [
    AdmissionModule,
    ChangesModule,
    DeletionModule,
    ExecutorsModule,
    PlansModule,
    QueriesModule,
    StoreModule,
  ],
  controllers: [DeadLetters, EventsListener, LeasesHandlers],
  providers: [
    ClaimPlans,
    ClaimsService,
    Deliveries,
    DeliveryChanges,
    DeliveryFinisher,
    EventRecorder,
    ExpiredLeases,
    HeldDeliveries,
    HumanTurnsService,
    LeasesService,
    ManualPhasesService,
    ParkedDeliveries,
    PlansSource,
    RaceDecisions,
    RunCreation,
    RunEdits,
    RunLifecycle,
    RunPauses,
    RunRetries,
    RunStarter,
    ScoreRepairs,
    ScoresService,
    UnclaimedJobs,
  ],
  exports: [
    Deliveries,
    ExpiredLeases,
    HumanTurnsService,
    ManualPhasesService,
    RaceDecisions,
    RunEdits,
    RunLifecycle,
    RunPauses,
    RunRetries,
    RunStarter,
    ScoreRepairs,
  ],
})
export class CommandsModule {}
