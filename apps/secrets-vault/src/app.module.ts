import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AuditSettings } from './audit/audit.loop.js';
import type { Config } from './config.js';
import { KEY_SOURCE } from './keys/key-file.js';
import { KeysModule } from './keys/keys.module.js';
import { RotationSettings } from './keys/rotation.loop.js';
import { RequestsModule } from './requests/requests.module.js';

@Global()
@Module({ imports: [KeysModule, RequestsModule] })
export class AppModule {
  static with(config: Config): DynamicModule {
    const providers = [
      { provide: KEY_SOURCE, useValue: config.keySource },
      { provide: RotationSettings, useValue: new RotationSettings(config.VAULT_KEYS_CHECK_MS) },
      { provide: AuditSettings, useValue: new AuditSettings(config.VAULT_AUDIT_DAYS) },
    ];
    return { module: AppModule, providers, exports: providers };
  }
}
