import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module.js';
import { RescoringModule } from '../rescoring/rescoring.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { StoreModule } from '../store/store.module.js';
import { ScorecardsService } from './scorecards.service.js';
import { ScoringJobsHandlers } from './scoring-jobs.handlers.js';

/** The jobs that score, and reads of their results. */
@Module({
  imports: [AttemptsModule, RescoringModule, RunsModule, StoreModule],
  controllers: [ScorecardsService, ScoringJobsHandlers],
})
export class ScorecardsModule {}
