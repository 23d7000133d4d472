import { Handles, type Serves } from '@agentclash/bus';
import { busApi, type In } from '@agentclash/contracts';
import { RequestedRuns } from './requested-runs.service.js';
import { RunRequests } from './run-requests.service.js';

@Handles(busApi)
export class BusApiHandlers implements Serves<typeof busApi> {
  constructor(
    private readonly orders: RunRequests,
    private readonly runs: RequestedRuns,
  ) {}

  async request(envelope: In<typeof busApi.request>) {
    await this.orders.take(envelope);
  }

  get(request: In<typeof busApi.get>) {
    return this.runs.get(request);
  }

  scorecard(request: In<typeof busApi.scorecard>) {
    return this.runs.scorecard(request);
  }
}
