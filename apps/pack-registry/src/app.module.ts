import { BlobsModule, SweepSettings } from '@agentclash/service-kit';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ArtifactsModule } from './artifacts/artifacts.module.js';
import { AuditsModule } from './audits/audits.module.js';
import type { Config } from './config.js';
import { PacksModule } from './packs/packs.module.js';

@Global()
@Module({ imports: [PacksModule, ArtifactsModule, AuditsModule] })
export class AppModule {
  static with(config: Config): DynamicModule {
    const providers = [{ provide: SweepSettings, useValue: new SweepSettings(config) }];
    return { module: AppModule, imports: [BlobsModule.with(config.blobs)], providers, exports: providers };
  }
}
