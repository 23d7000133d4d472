import { Module } from '@nestjs/common';
import { AttemptReads } from './attempts/attempt-reads.store.js';
import { AttemptWrites } from './attempts/attempt-writes.store.js';
import { CachedRepliesStore } from './cached-replies.store.js';
import { HistoryStore } from './history.store.js';
import { HumanTurnsStore, ManualPhasesStore } from './human-turns.store.js';
import { Payloads } from './payloads.js';
import { RacesStore } from './races.store.js';
import { RunBudgetsStore } from './run-budgets.store.js';
import { RunChangesStore } from './run-changes.store.js';
import { RunImportsStore } from './run-imports.store.js';
import { RunTrendsStore } from './run-trends.store.js';
import { RunsStore } from './runs.store.js';
import { SnapshotsStore } from './snapshots.store.js';
import { TranscriptSearchStore } from './transcript-search.store.js';

/** The tables of runs, attempts and their history. */
@Module({
  providers: [
    AttemptReads,
    AttemptWrites,
    CachedRepliesStore,
    HistoryStore,
    HumanTurnsStore,
    ManualPhasesStore,
    Payloads,
    RacesStore,
    RunBudgetsStore,
    RunChangesStore,
    RunImportsStore,
    RunTrendsStore,
    RunsStore,
    SnapshotsStore,
    TranscriptSearchStore,
  ],
  exports: [
    AttemptReads,
    AttemptWrites,
    CachedRepliesStore,
    HistoryStore,
    HumanTurnsStore,
    ManualPhasesStore,
    Payloads,
    RacesStore,
    RunBudgetsStore,
    RunChangesStore,
    RunImportsStore,
    RunTrendsStore,
    RunsStore,
    SnapshotsStore,
    TranscriptSearchStore,
  ],
})
export class StoreModule {}
