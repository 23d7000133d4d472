import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { RescoringModule } from '../rescoring/rescoring.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { BlindItems } from './blind-items.source.js';
import { ReviewQueues } from './review-queues.service.js';
import { ReviewQueuesStore } from './review-queues.store.js';
import { ReviewResults } from './review-results.service.js';
import { ReviewsService } from './reviews.service.js';
import { ReviewsStore } from './reviews.store.js';

/** Review of outputs by people. */
@Module({
  imports: [EvidenceModule, RescoringModule, RunsModule],
  controllers: [ReviewsService],
  providers: [BlindItems, ReviewQueues, ReviewQueuesStore, ReviewResults, ReviewsStore],
})
export class ReviewsModule {}
