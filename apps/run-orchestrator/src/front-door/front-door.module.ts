import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module.js';
import { BusApiHandlers } from './front-door.handlers.js';
import { RequestNames } from './request-names.source.js';
import { RequestedRuns } from './requested-runs.service.js';
import { RequestedRunsStore } from './requested-runs.store.js';
import { RunRequests } from './run-requests.service.js';

const FRONT_DOOR_HANDLERS = [BusApiHandlers];

/** Requests of internal services, which they publish on the bus. */
@Module({
  imports: [RunsModule],
  controllers: FRONT_DOOR_HANDLERS,
  providers: [RequestNames, RequestedRuns, RequestedRunsStore, RunRequests],
})
export class BusApiModule {}
