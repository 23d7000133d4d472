import { Bus } from '@agentclash/bus';
import { BusSlots } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { AttemptsHandlers } from './attempts/attempts.handlers.js';
import { AttemptsService } from './attempts/attempts.service.js';
import { CancellationsHandlers } from './attempts/cancellations.handlers.js';
import { LiveAttempts } from './attempts/live-attempts.js';
import { MACHINE, type Machine } from './attempts/machine.js';
import { AttemptModels } from './models/attempt-models.js';
import { ModelCallsHandlers } from './models/model-calls.handlers.js';
import { ModelTests } from './models/model-tests.service.js';

export const HANDLERS = [AttemptsHandlers, CancellationsHandlers, ModelCallsHandlers];

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
      ],
    };
  }
}
