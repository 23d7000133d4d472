import { Bus } from '@agentclash/bus';
import { BusSlots } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { MeansOfAttempts } from './attempts/attempt-means.js';
import { AttemptsHandlers } from './attempts/attempts.handlers.js';
import { AttemptsService } from './attempts/attempts.service.js';
import { CancellationsHandlers } from './attempts/cancellations.handlers.js';
import { Claims } from './attempts/claims.service.js';
import { CpuSlots } from './attempts/cpu-slots.js';
import { Deliveries } from './attempts/deliveries.service.js';
import { HumanAnswersHandlers } from './attempts/human-answers.handlers.js';
import { Leases } from './attempts/leases.loop.js';
import { LiveAttempts } from './attempts/live-attempts.js';
import { MACHINE, type Machine } from './attempts/machine.js';
import { ParkedLoop } from './attempts/parked.loop.js';
import { ParkedAttempts } from './attempts/parked-attempts.js';
import { Parking } from './attempts/parking.service.js';
import { Reports } from './attempts/reports.js';
import { Resumptions } from './attempts/resumptions.service.js';
import { Verifier } from './attempts/verifier.service.js';
import { AttemptModels } from './models/attempt-models.js';
import { ModelCallsHandlers } from './models/model-calls.handlers.js';
import { ModelTests } from './models/model-tests.service.js';
import { Presence } from './presence/presence.loop.js';

export const HANDLERS = [AttemptsHandlers, CancellationsHandlers, HumanAnswersHandlers, ModelCallsHandlers];

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
        ModelTests,
        AttemptsService,
        Claims,
        CpuSlots,
        Deliveries,
        Leases,
        MeansOfAttempts,
        ParkedAttempts,
        ParkedLoop,
        Parking,
        Presence,
        Reports,
        Resumptions,
        Verifier,
      ],
    };
  }
}
