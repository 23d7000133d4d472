import { Handles, type Serves } from '@agentclash/bus';
import { frontDoor, type In } from '@agentclash/contracts';
import { OrderedRuns } from './ordered-runs.service.js';
import { OrdersService } from './orders.service.js';

@Handles(frontDoor)
export class FrontDoorHandlers implements Serves<typeof frontDoor> {
  constructor(
    private readonly orders: OrdersService,
    private readonly runs: OrderedRuns,
  ) {}

  async request(parcel: In<typeof frontDoor.request>) {
    await this.orders.take(parcel);
  }

  get(ask: In<typeof frontDoor.get>) {
    return this.runs.get(ask);
  }

  scorecard(ask: In<typeof frontDoor.scorecard>) {
    return this.runs.scorecard(ask);
  }
}
