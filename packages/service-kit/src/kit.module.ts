import { Bus, BusConnection, ERROR_CLASSIFIER, LOGGER } from '@agentclash/bus';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { databaseFault } from './database/database-fault.js';
import type { Kit } from './service.js';

/** Gives every class of a service the bus and the logger, and its doors the means to tell a fault from a bug. */
@Global()
@Module({})
export class KitModule {
  static with(kit: Kit, service: DynamicModule): DynamicModule {
    const providers = [
      { provide: Bus, useValue: kit.bus },
      { provide: BusConnection, useValue: kit.connection },
      { provide: LOGGER, useValue: kit.logger },
      { provide: ERROR_CLASSIFIER, useValue: databaseFault },
    ];
    return {
      module: KitModule,
      imports: [service],
      providers,
      exports: [Bus, BusConnection, LOGGER, ERROR_CLASSIFIER],
    };
  }
}
