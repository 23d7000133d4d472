import { Module } from '@nestjs/common';
import { ModelsModule } from '../../models/models.module.js';
import { CapacityModule } from '../capacity/capacity.module.js';
import { LeasesModule } from '../leases/leases.module.js';
import { ParkingModule } from '../parking/parking.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { AttemptContextFactory } from './attempt-context.js';
import { Deliveries } from './deliveries.service.js';
import { Verifier } from './verifier.service.js';

/** One delivery of an attempt, from its plan to its result. */
@Module({
  imports: [CapacityModule, LeasesModule, ModelsModule, ParkingModule, ReportsModule],
  providers: [AttemptContextFactory, Deliveries, Verifier],
  exports: [Deliveries],
})
export class DeliveriesModule {}
