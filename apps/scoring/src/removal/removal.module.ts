import { Module } from '@nestjs/common';
import { RemovedRuns } from './held-run.store.js';
import { ScoredRunsStore } from './scored-runs.store.js';

@Module({ controllers: [ScoredRunsStore], providers: [RemovedRuns], exports: [RemovedRuns] })
export class RemovalModule {}
