import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ArtifactsController, StorageController } from './artifacts.controller.js';
import { ArtifactsService } from './artifacts.service.js';
import { ReceivedBytes } from './received-bytes.js';
import { SignedUrls } from './signed-urls.js';

/** Stored files, and the storage of a workspace. */
@Module({
  imports: [IdempotencyModule],
  controllers: [ArtifactsController, StorageController],
  providers: [
    ArtifactsService,
    ReceivedBytes,
    {
      provide: SignedUrls,
      inject: [CONFIG],
      useFactory: ({ URL_SIGNING_KEY, URL_LIFETIME_SECONDS }: Config) =>
        new SignedUrls(URL_SIGNING_KEY, URL_LIFETIME_SECONDS),
    },
  ],
  exports: [ReceivedBytes],
})
export class ArtifactsModule {}
