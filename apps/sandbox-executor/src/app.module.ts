import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AttemptsModule } from './attempts/attempts.module.js';
import { AuditsModule } from './audits/audits.module.js';
import { MACHINE, type Machine } from './machine/machine.js';
import { ModelsModule } from './models/models.module.js';

@Global()
@Module({ imports: [AttemptsModule, AuditsModule, ModelsModule] })
export class AppModule {
  static with(machine: Machine): DynamicModule {
    const providers = [{ provide: MACHINE, useValue: machine }];
    return { module: AppModule, providers, exports: providers };
  }
}
