import { createEgress } from '@agentclash/egress';
import { BlobsModule } from '@agentclash/service-kit';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { BaselinesModule } from './baselines/baselines.module.js';
import { ComparisonsModule } from './comparisons/comparisons.module.js';
import type { Config } from './config.js';
import { GatesModule } from './gates/gates.module.js';
import { ScoringThreads } from './grading/grading.module.js';
import { EGRESS, READ_VARIABLE } from './judging/judge-models.js';
import { RacesModule } from './races/races.module.js';
import { RemovalModule } from './removal/removal.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { ScorecardsModule } from './scorecards/scorecards.module.js';

@Global()
@Module({
  imports: [
    BaselinesModule,
    ComparisonsModule,
    GatesModule,
    RacesModule,
    RemovalModule,
    ReviewsModule,
    ScorecardsModule,
  ],
})
export class AppModule {
  static with(config: Config): DynamicModule {
    const providers = [
      {
        provide: ScoringThreads,
        useValue: new ScoringThreads(config.SCORING_THREADS, config.SCORING_THREAD_MIB),
      },
      { provide: EGRESS, useFactory: () => createEgress({ settings: config.egress }) },
      { provide: READ_VARIABLE, useValue: config.readVariable },
    ];
    return { module: AppModule, imports: [BlobsModule.with(config.blobs)], providers, exports: providers };
  }
}
