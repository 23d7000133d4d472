import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from './config.js';
import { Database } from './database.js';
import { KeyRing } from './secrets/key-ring.js';
import { SecretsHandlers } from './secrets/secrets.handlers.js';
import { SecretsService } from './secrets/secrets.service.js';
import { SecretsStore } from './secrets/secrets.store.js';

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: [SecretsHandlers],
      providers: [
        { provide: Database, useFactory: () => new Database(config) },
        { provide: KeyRing, useValue: config.keyRing },
        SecretsStore,
        SecretsService,
      ],
    };
  }
}
