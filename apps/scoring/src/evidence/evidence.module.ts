import { SEARCH_LIMITS, WorkspaceSearch } from '@agentclash/run-scoring';
import { Blobs, LOGGER, type Logger, openArchive } from '@agentclash/service-kit';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { ScoringThreads } from '../grading/grading.module.js';
import { VotesStore } from '../votes/votes.store.js';
import { EvidenceSource } from './evidence.source.js';

class ServiceWorkspaceSearch extends WorkspaceSearch implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }
}

/** The evidence of attempts, with a search of their workspaces. */
@Module({
  providers: [
    EvidenceSource,
    VotesStore,
    {
      provide: WorkspaceSearch,
      useFactory: (blobs: Blobs, logger: Logger, { threads }: ScoringThreads) =>
        new ServiceWorkspaceSearch(
          {
            open: (sha256) => openArchive(blobs.evidence, sha256),
            onUnsearched: (snapshot, reason) =>
              logger.warn({ snapshot_sha256: snapshot.sha256, reason }, 'workspace search failed'),
          },
          { ...SEARCH_LIMITS, threads },
        ),
      inject: [Blobs, LOGGER, ScoringThreads],
    },
  ],
  exports: [EvidenceSource],
})
export class EvidenceModule {}
