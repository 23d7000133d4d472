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
import { WebAddress } from './runs/store/webhook-notices.store.js';
import { WebhookSettings } from './webhooks/webhook-sender.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Global()
@Module({ imports: [CatalogueModule, RunsModule, BusApiModule, WebhooksModule] })
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
      { provide: WebAddress, useValue: new WebAddress(config.PUBLIC_URL) },
      { provide: WebhookSettings, useValue: webhookSettings(config) },
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

function webhookSettings({
  WEBHOOK_RETRY_MS,
  WEBHOOK_RETRY_SECONDS_MAX,
  RECONCILE_MS,
}: Config): WebhookSettings {
  const retry = { firstMs: WEBHOOK_RETRY_MS, totalMs: WEBHOOK_RETRY_SECONDS_MAX * 1_000 };
  return new WebhookSettings(retry, RECONCILE_MS);
}
