import { Bus, BusConnection, ERROR_CLASSIFIER, LOGGER } from '@agentclash/bus';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { classifyDatabaseError } from '../database/database-error.js';
import { ReadinessChecks } from '../health.js';
import type { Kit } from './service.js';

/** Provides the bus, the logger, the readiness checks and the error classifier to every class of a service. */
@Global()
@Module({})
export class KitModule {
  static with(kit: Kit, service: DynamicModule): DynamicModule {
    const providers = [
      { provide: Bus, useValue: kit.bus },
      { provide: BusConnection, useValue: kit.connection },
      { provide: ReadinessChecks, useValue: kit.readiness },
      { provide: LOGGER, useValue: kit.logger },
      { provide: ERROR_CLASSIFIER, useValue: classifyDatabaseError },
    ];
    return {
      module: KitModule,
      imports: [service],
      providers,
      exports: [Bus, BusConnection, ReadinessChecks, LOGGER, ERROR_CLASSIFIER],
    };
  }
}
