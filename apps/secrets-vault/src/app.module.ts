import { type DynamicModule, Module } from '@nestjs/common';
import { AuditLoop, AuditSettings } from './audit/audit.loop.js';
import { AuditStore } from './audit/audit.store.js';
import type { Config } from './config.js';
import { KEY_SOURCE } from './keys/key-file.js';
import { Keys } from './keys/keys.service.js';
import { KeysStore } from './keys/keys.store.js';
import { RotationLoop, RotationSettings } from './keys/rotation.loop.js';
import { OpeningsService } from './openings/openings.service.js';
import { OpeningsStore } from './openings/openings.store.js';
import { KeysHandlers, VaultHandlers } from './requests/vault.handlers.js';
import { SecretsService } from './secrets/secrets.service.js';
import { SecretsStore } from './secrets/secrets.store.js';

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: [KeysHandlers, VaultHandlers],
      providers: [
        { provide: KEY_SOURCE, useValue: config.keySource },
        { provide: RotationSettings, useValue: new RotationSettings(config.VAULT_KEYS_CHECK_MS) },
        { provide: AuditSettings, useValue: new AuditSettings(config.VAULT_AUDIT_DAYS) },
        AuditLoop,
        AuditStore,
        Keys,
        KeysStore,
        OpeningsService,
        OpeningsStore,
        RotationLoop,
        SecretsService,
        SecretsStore,
      ],
    };
  }
}
