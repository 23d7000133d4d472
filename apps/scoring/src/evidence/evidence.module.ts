import { Blobs, LOGGER, type Logger } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { ScoringThreads } from '../grading/grader.js';
import { SEARCH_LIMITS, WorkspaceSearch } from '../workspaces/workspace-search.service.js';
import { EvidenceSource } from './evidence.source.js';

/** The evidence of attempts, with a search of their workspaces. */
@Module({
  providers: [
    EvidenceSource,
    {
      provide: WorkspaceSearch,
      useFactory: (blobs: Blobs, logger: Logger, { threads }: ScoringThreads) =>
        new WorkspaceSearch(blobs, logger, { ...SEARCH_LIMITS, threads }),
      inject: [Blobs, LOGGER, ScoringThreads],
    },
  ],
  exports: [EvidenceSource],
})
export class EvidenceModule {}
