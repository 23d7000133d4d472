import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module.js';
import { RequestNames } from './request-names.source.js';
import { RequestedRuns } from './requested-runs.service.js';
import { RequestedRunsStore } from './requested-runs.store.js';
import { RunRequests } from './run-requests.service.js';

/** Requests of internal services, which they publish on the bus. */
@Module({
  imports: [RunsModule],
  controllers: [RequestedRuns],
  providers: [RequestNames, RequestedRunsStore, RunRequests],
})
export class BusApiModule {}
