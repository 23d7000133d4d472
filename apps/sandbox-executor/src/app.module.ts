import { Bus } from '@agentclash/bus';
import { BusSlots } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { AttemptContextFactory } from './attempts/attempt-context.js';
import { AttemptsService } from './attempts/attempts.service.js';
import { Claims } from './attempts/claims.service.js';
import { Deliveries } from './attempts/deliveries.service.js';
import { ExecutionEventsHandlers } from './attempts/execution-events.handlers.js';
import { Leases } from './attempts/leases.loop.js';
import { LiveAttempts } from './attempts/live-attempts.js';
import { ParkedLoop } from './attempts/parked.loop.js';
import { ParkedAttempts } from './attempts/parked-attempts.js';
import { Parking } from './attempts/parking.service.js';
import { Reports } from './attempts/reports.js';
import { Resumptions } from './attempts/resumptions.service.js';
import { CpuSlots } from './attempts/semaphore.js';
import { ExecutorShutdown } from './attempts/shutdown.service.js';
import { Verifier } from './attempts/verifier.service.js';
import { MACHINE, type Machine } from './machine/machine.js';
import { AttemptModels } from './models/attempt-models.js';
import { ModelTests } from './models/model-tests.service.js';
import { Registration } from './registration/registration.loop.js';

const HANDLERS = [AttemptsService, ExecutionEventsHandlers, ModelTests];

@Module({})
export class AppModule {
  static with(machine: Machine): DynamicModule {
    return {
      module: AppModule,
      controllers: HANDLERS,
      providers: [
        { provide: MACHINE, useValue: machine },
        {
          provide: BusSlots,
          useFactory: (bus: Bus) => new BusSlots(bus, machine.executorId),
          inject: [Bus],
        },
        LiveAttempts,
        AttemptModels,
        Claims,
        CpuSlots,
        Deliveries,
        ExecutorShutdown,
        Leases,
        AttemptContextFactory,
        ParkedAttempts,
        ParkedLoop,
        Parking,
        Registration,
        Reports,
        Resumptions,
        Verifier,
      ],
    };
  }
}
