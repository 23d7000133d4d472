import { BlobsModule, LOGGER, type Logger, SweepLoop, SweepSettings } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { ArchiveMembers } from './archives/archive-members.js';
import { ArchiveReader } from './archives/archive-reader.js';
import { ArtifactRemoval } from './artifacts/artifact-removal.service.js';
import { ArtifactSweep } from './artifacts/artifact-sweep.service.js';
import { ArtifactsHandlers } from './artifacts/artifacts.handlers.js';
import { ArtifactsService } from './artifacts/artifacts.service.js';
import { ArtifactsStore } from './artifacts/artifacts.store.js';
import { Deletions } from './artifacts/deletions.store.js';
import { PackFiles } from './artifacts/pack-files.js';
import { UnusedBytes } from './artifacts/unused-bytes.js';
import type { Config } from './config.js';
import { PacksService } from './packs/packs.service.js';
import { PacksStore } from './packs/packs.store.js';
import { UnboundSecrets } from './packs/unbound-secrets.source.js';
import { PackReader } from './reading/pack-reader.js';

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [BlobsModule.with(config.blobs)],
      controllers: [PacksService, ArtifactsHandlers],
      providers: [
        { provide: SweepSettings, useValue: new SweepSettings(config) },
        {
          provide: SweepLoop,
          useFactory: (sweeps: ArtifactSweep, settings: SweepSettings, logger: Logger) =>
            new SweepLoop('artifacts', (signal) => sweeps.all(signal), settings, logger),
          inject: [ArtifactSweep, SweepSettings, LOGGER],
        },
        ArchiveMembers,
        ArtifactSweep,
        ArchiveReader,
        ArtifactsStore,
        ArtifactsService,
        ArtifactRemoval,
        Deletions,
        PackFiles,
        UnusedBytes,
        PackReader,
        UnboundSecrets,
        PacksStore,
      ],
    };
  }
}
