import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ReadinessChecks } from '../health.js';
import type { BlobSettings } from './blob-settings.js';
import { Blobs } from './blobs.js';

/** Provides the stored bytes to all modules of a service, with a readiness check. */
@Global()
@Module({})
export class BlobsModule {
  static with(settings: BlobSettings): DynamicModule {
    const provider = {
      provide: Blobs,
      useFactory: async (checks: ReadinessChecks) => {
        const blobs = await Blobs.open(settings);
        checks.add('blobs', () => blobs.ping());
        return blobs;
      },
      inject: [ReadinessChecks],
    };
    return { module: BlobsModule, providers: [provider], exports: [Blobs] };
  }
}
