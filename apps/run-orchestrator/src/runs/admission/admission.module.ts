import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ExecutorsModule } from '../executors/executors.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { StoreModule } from '../store/store.module.js';
import { RunAdmission, RunDeployments } from './candidate-agents.js';
import { RunRaces } from './race-settings.source.js';
import { RunCases } from './run-cases.source.js';
import { RunRecordings } from './run-recording.source.js';
import { RunScopes } from './run-scope.source.js';

/** Checks of a new run before it is created. */
@Module({
  imports: [CatalogueModule, ExecutorsModule, PlansModule, StoreModule],
  providers: [RunAdmission, RunCases, RunDeployments, RunRaces, RunRecordings, RunScopes],
  exports: [RunAdmission, RunRaces, RunRecordings, RunScopes],
})
export class AdmissionModule {}
