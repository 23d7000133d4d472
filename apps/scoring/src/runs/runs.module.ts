import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { StoreModule } from '../store/store.module.js';
import { RunScoring } from './run-scoring.service.js';
import { RunsSource } from './runs.source.js';

/** Scores the agents of runs, and reads runs of the orchestrator. */
@Module({
  imports: [EvidenceModule, StoreModule],
  providers: [RunScoring, RunsSource],
  exports: [RunScoring, RunsSource],
})
export class RunsModule {}
