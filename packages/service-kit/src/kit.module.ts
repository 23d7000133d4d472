import { Bus, BusConnection, FAULT_READER } from '@agentclash/bus';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { databaseFault } from './database/database-fault.js';
import type { Kit } from './service.js';

/** Under this token stands the service's pino logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('agentclash.logger');

/** Gives every class of a service the bus and the logger, and its doors the means to tell a fault from a bug. */
@Global()
@Module({})
export class KitModule {
  static with(kit: Kit, service: DynamicModule): DynamicModule {
    const providers = [
      { provide: Bus, useValue: kit.bus },
      { provide: BusConnection, useValue: kit.connection },
      { provide: LOGGER, useValue: kit.logger },
      { provide: FAULT_READER, useValue: databaseFault },
    ];
    return {
      module: KitModule,
      imports: [service],
      providers,
      exports: [Bus, BusConnection, LOGGER, FAULT_READER],
    };
  }
}
