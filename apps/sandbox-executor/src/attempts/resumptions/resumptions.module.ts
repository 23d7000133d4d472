import { Module } from '@nestjs/common';
import { CapacityModule } from '../capacity/capacity.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { ParkingModule } from '../parking/parking.module.js';
import { ParkedLoop } from './parked.loop.js';
import { Resumptions } from './resumptions.service.js';

/** The return of parked attempts to work, or to their end. */
@Module({
  imports: [CapacityModule, DeliveriesModule, ParkingModule],
  providers: [ParkedLoop, Resumptions],
  exports: [ParkedLoop, Resumptions],
})
export class ResumptionsModule {}
