import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { StoreModule } from '../store/store.module.js';
import { EarlierLanes } from './earlier-lanes.store.js';
import { EvalPlansService } from './eval-plans.service.js';

/** Plans of runs that are not started. */
@Module({
  imports: [AdmissionModule, StoreModule],
  controllers: [EvalPlansService],
  providers: [EarlierLanes],
})
export class EvalPlansModule {}
