import { Module } from '@nestjs/common';
import { RegistrationModule } from '../registration/registration.module.js';
import { AttemptsService } from './attempts.service.js';
import { CapacityModule } from './capacity/capacity.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { ExecutionEventsHandlers } from './execution-events.handlers.js';
import { LeasesModule } from './leases/leases.module.js';
import { ParkingModule } from './parking/parking.module.js';
import { ResumptionsModule } from './resumptions/resumptions.module.js';
import { ExecutorShutdown } from './shutdown.service.js';

/** The jobs of this executor. */
@Module({
  imports: [
    CapacityModule,
    DeliveriesModule,
    LeasesModule,
    ParkingModule,
    RegistrationModule,
    ResumptionsModule,
  ],
  controllers: [AttemptsService, ExecutionEventsHandlers],
  providers: [ExecutorShutdown],
})
export class AttemptsModule {}
