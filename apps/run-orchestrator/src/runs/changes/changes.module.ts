import { Module } from '@nestjs/common';
import { StoreModule } from '../store/store.module.js';
import { Dispatcher } from './dispatcher.js';
import { LaneHalts } from './lane-halts.js';
import { OutboxPublisher, RunEndPublisher } from './outbox-publisher.js';
import { RunChanges } from './run-changes.service.js';
import { RunCompletion } from './run-completion.js';
import { RunTermination } from './run-termination.js';
import { ScoreRequests } from './score-requests.js';

/** Changes of runs, each in one transaction, and the messages that follow from them. */
@Module({
  imports: [StoreModule],
  providers: [
    Dispatcher,
    LaneHalts,
    RunEndPublisher,
    OutboxPublisher,
    RunChanges,
    RunCompletion,
    RunTermination,
    ScoreRequests,
  ],
  exports: [Dispatcher, LaneHalts, RunEndPublisher, RunChanges, RunCompletion, RunTermination, ScoreRequests],
})
export class ChangesModule {}
