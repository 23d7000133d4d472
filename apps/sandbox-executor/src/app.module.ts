import { type DynamicModule, Module } from '@nestjs/common';
import { AttemptsHandlers } from './attempts/attempts.handlers.js';
import { AttemptsService, MACHINE } from './attempts/attempts.service.js';
import { CancellationsHandlers } from './attempts/cancellations.handlers.js';
import { LiveAttempts } from './attempts/live-attempts.js';
import type { Machine } from './attempts/machine.js';

export const HANDLERS = [AttemptsHandlers, CancellationsHandlers];

@Module({})
export class AppModule {
  static with(machine: Machine): DynamicModule {
    return {
      module: AppModule,
      controllers: HANDLERS,
      providers: [{ provide: MACHINE, useValue: machine }, LiveAttempts, AttemptsService],
    };
  }
}
