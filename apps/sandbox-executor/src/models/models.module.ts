import { Bus } from '@agentclash/bus';
import { BusSlots } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';
import { AttemptModels } from './attempt-models.js';
import { ModelTests } from './model-tests.service.js';

/** Calls to model providers. */
@Module({
  controllers: [ModelTests],
  providers: [
    AttemptModels,
    {
      provide: BusSlots,
      useFactory: (bus: Bus, { executorId }: Machine) => new BusSlots(bus, executorId),
      inject: [Bus, MACHINE],
    },
  ],
  exports: [AttemptModels],
})
export class ModelsModule {}
