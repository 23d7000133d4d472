import { Handles, type Serves } from '@agentclash/bus';
import { busApi, type In } from '@agentclash/contracts';
import { OrderedRuns } from './requested-runs.service.js';
import { OrdersService } from './run-requests.service.js';

@Handles(busApi)
export class FrontDoorHandlers implements Serves<typeof busApi> {
  constructor(
    private readonly orders: OrdersService,
    private readonly runs: OrderedRuns,
  ) {}

  async request(parcel: In<typeof busApi.request>) {
    await this.orders.take(parcel);
  }

  get(ask: In<typeof busApi.get>) {
    return this.runs.get(ask);
  }

  scorecard(ask: In<typeof busApi.scorecard>) {
    return this.runs.scorecard(ask);
  }
}
