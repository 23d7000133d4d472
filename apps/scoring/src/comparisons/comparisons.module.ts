import { Module } from '@nestjs/common';
import { BaselinesModule } from '../baselines/baselines.module.js';
import { RemovalModule } from '../removal/removal.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { StoreModule } from '../store/store.module.js';
import { ComparisonsService } from './comparisons.service.js';
import { ComparisonsStore } from './comparisons.store.js';
import { RunComparer } from './run-comparer.js';

@Module({
  imports: [BaselinesModule, RemovalModule, RunsModule, StoreModule],
  controllers: [ComparisonsService],
  providers: [ComparisonsStore, RunComparer],
  exports: [RunComparer],
})
export class ComparisonsModule {}
