import { Module } from '@nestjs/common';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PacksController, VersionsController } from './packs.controller.js';
import { PacksService } from './packs.service.js';

@Module({
  imports: [ArtifactsModule, IdempotencyModule],
  controllers: [PacksController, VersionsController],
  providers: [PacksService],
})
export class PacksModule {}
