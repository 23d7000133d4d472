import { BlobsModule, SweepSettings } from '@agentclash/service-kit';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { OperatorSettings } from './catalogue/resources/operator-settings.js';
import type { Config } from './config.js';
import { BusApiModule } from './front-door/front-door.module.js';
import { DispatchSettings } from './runs/changes/dispatcher.js';
import { LeaseSettings } from './runs/commands/lease.js';
import { StorageSettings } from './runs/deletion/storage.loop.js';
import { StorageLimits } from './runs/deletion/workspace-storage.service.js';
import { SlotSettings } from './runs/model-slots/model-slots.service.js';
import { ReconcileSettings } from './runs/reconcile/reconcile.loop.js';
import { RunsModule } from './runs/runs.module.js';

@Global()
@Module({ imports: [CatalogueModule, RunsModule, BusApiModule] })
export class AppModule {
  static with(config: Config): DynamicModule {
    const providers = [
      { provide: OperatorSettings, useValue: operatorSettings(config) },
      { provide: DispatchSettings, useValue: new DispatchSettings(config.WORKSPACE_MAX_CONCURRENT) },
      { provide: LeaseSettings, useValue: new LeaseSettings(config.LEASE_MS) },
      { provide: SlotSettings, useValue: new SlotSettings(config.SLOT_LEASE_MS) },
      { provide: StorageSettings, useValue: new StorageSettings(config.RECONCILE_MS) },
      { provide: StorageLimits, useValue: storageLimits(config) },
      { provide: SweepSettings, useValue: new SweepSettings(config) },
      { provide: ReconcileSettings, useValue: new ReconcileSettings(config.RECONCILE_MS) },
    ];
    return { module: AppModule, imports: [BlobsModule.with(config.blobs)], providers, exports: providers };
  }
}

function operatorSettings({ egress, CREDENTIALS_ENV }: Config): OperatorSettings {
  return new OperatorSettings({ egress, credentialsEnv: CREDENTIALS_ENV });
}

function storageLimits({ RETENTION_DAYS, WORKSPACE_EVIDENCE_BYTES_MAX: bytes }: Config): StorageLimits {
  return new StorageLimits(RETENTION_DAYS ?? null, bytes === 0 ? null : bytes);
}
