import { Blobs, SweepSettings } from '@agentclash/service-kit';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CATALOGUE_HANDLERS, CatalogueModule } from './catalogue/catalogue.module.js';
import { OperatorSettings } from './catalogue/resources/operator-settings.js';
import type { Config } from './config.js';
import { Database } from './database.js';
import { BusApiModule, FRONT_DOOR_HANDLERS } from './front-door/front-door.module.js';
import { DispatchSettings } from './runs/changes/dispatcher.js';
import { LeaseSettings } from './runs/commands/leases.service.js';
import { StorageLimits } from './runs/deletion/retention.service.js';
import { StorageSettings } from './runs/deletion/storage.loop.js';
import { SlotSettings } from './runs/model-slots/model-slots.service.js';
import { ReconcileSettings } from './runs/reconcile/reconcile.loop.js';
import { RUNS_HANDLERS, RunsModule } from './runs/runs.module.js';

/** The classes that handle messages of the bus. */
export const HANDLERS = [...CATALOGUE_HANDLERS, ...RUNS_HANDLERS, ...FRONT_DOOR_HANDLERS];

/** The stores of bytes and rows, opened by the caller so that it can check them. */
export interface Storage {
  database: Database;
  blobs: Blobs;
}

@Global()
@Module({ imports: [CatalogueModule, RunsModule, BusApiModule] })
export class AppModule {
  static with(config: Config, { database, blobs }: Storage): DynamicModule {
    const providers = [
      { provide: Database, useFactory: () => database },
      { provide: Blobs, useFactory: () => blobs },
      { provide: OperatorSettings, useValue: operatorSettings(config) },
      { provide: DispatchSettings, useValue: new DispatchSettings(config.WORKSPACE_MAX_CONCURRENT) },
      { provide: LeaseSettings, useValue: new LeaseSettings(config.LEASE_MS) },
      { provide: SlotSettings, useValue: new SlotSettings(config.SLOT_LEASE_MS) },
      { provide: StorageSettings, useValue: new StorageSettings(config.RECONCILE_MS) },
      { provide: StorageLimits, useValue: storageLimits(config) },
      { provide: SweepSettings, useValue: new SweepSettings(config) },
      { provide: ReconcileSettings, useValue: new ReconcileSettings(config.RECONCILE_MS) },
    ];
    return { module: AppModule, providers, exports: providers };
  }
}

function operatorSettings({ egress, CREDENTIALS_ENV }: Config): OperatorSettings {
  return new OperatorSettings({ egress, credentialsEnv: CREDENTIALS_ENV });
}

function storageLimits({ RETENTION_DAYS, WORKSPACE_EVIDENCE_BYTES_MAX: bytes }: Config): StorageLimits {
  return new StorageLimits(RETENTION_DAYS ?? null, bytes === 0 ? null : bytes);
}
