import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module.js';
import { FrontDoorHandlers } from './front-door.handlers.js';
import { OrderNames } from './request-names.source.js';
import { OrderedRuns } from './requested-runs.service.js';
import { OrderedRunsStore } from './requested-runs.store.js';
import { OrdersService } from './run-requests.service.js';

export const FRONT_DOOR_HANDLERS = [FrontDoorHandlers];

/** Requests of internal services, which they publish on the bus. */
@Module({
  imports: [RunsModule],
  controllers: FRONT_DOOR_HANDLERS,
  providers: [OrderNames, OrderedRuns, OrderedRunsStore, OrdersService],
})
export class FrontDoorModule {}
