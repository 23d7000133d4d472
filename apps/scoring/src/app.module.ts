import { Blobs } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from './config.js';
import { Database } from './database.js';
import { EvidenceSource } from './scorecards/evidence.source.js';
import { ScorecardsHandlers } from './scorecards/scorecards.handlers.js';
import { ScorecardsService } from './scorecards/scorecards.service.js';
import { ScorecardsStore } from './scorecards/scorecards.store.js';
import { ScoringJobsHandlers } from './scorecards/scoring-jobs.handlers.js';

export const HANDLERS = [ScorecardsHandlers, ScoringJobsHandlers];

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: HANDLERS,
      providers: [
        { provide: Database, useFactory: () => new Database(config) },
        { provide: Blobs, useFactory: () => Blobs.open(config.blobs) },
        EvidenceSource,
        ScorecardsStore,
        ScorecardsService,
      ],
    };
  }
}
