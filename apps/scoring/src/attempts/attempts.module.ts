import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { GradingModule } from '../grading/grading.module.js';
import { JudgingModule } from '../judging/judging.module.js';
import { StoreModule } from '../store/store.module.js';
import { AttemptScoring } from './attempt-scoring.service.js';
import { Results } from './results.js';

/** Scores attempts. */
@Module({
  imports: [EvidenceModule, GradingModule, JudgingModule, StoreModule],
  providers: [AttemptScoring, Results],
  exports: [AttemptScoring],
})
export class AttemptsModule {}
