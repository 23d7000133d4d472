import { Module } from '@nestjs/common';
import { RemovalModule } from '../removal/removal.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { StoreModule } from '../store/store.module.js';
import { BaselineResolver } from './baseline-resolver.js';
import { BaselinesService } from './baselines.service.js';
import { BaselinesStore } from './baselines.store.js';

@Module({
  imports: [RemovalModule, RunsModule, StoreModule],
  controllers: [BaselinesService],
  providers: [BaselineResolver, BaselinesStore],
  exports: [BaselineResolver],
})
export class BaselinesModule {}
