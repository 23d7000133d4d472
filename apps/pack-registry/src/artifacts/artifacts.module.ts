import { LOGGER, type Logger, SweepLoop, SweepSettings } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { ArtifactRemoval } from './artifact-removal.service.js';
import { ArtifactSweep } from './artifact-sweep.service.js';
import { ArtifactsHandlers } from './artifacts.handlers.js';
import { ArtifactsService } from './artifacts.service.js';
import { ArtifactsStore } from './artifacts.store.js';
import { Deletions } from './deletions.store.js';
import { PackFiles } from './pack-files.js';
import { UnusedBytes } from './unused-bytes.js';

@Module({
  controllers: [ArtifactsHandlers],
  providers: [
    {
      provide: SweepLoop,
      useFactory: (sweeps: ArtifactSweep, settings: SweepSettings, logger: Logger) =>
        new SweepLoop('artifacts', (signal) => sweeps.all(signal), settings, logger),
      inject: [ArtifactSweep, SweepSettings, LOGGER],
    },
    ArtifactRemoval,
    ArtifactSweep,
    ArtifactsService,
    ArtifactsStore,
    Deletions,
    PackFiles,
    UnusedBytes,
  ],
  exports: [ArtifactsStore, PackFiles],
})
export class ArtifactsModule {}
