import { Handles, type Serves } from '@agentclash/bus';
import { deliveries, type In } from '@agentclash/contracts';
import { AccountTestsStore } from '../../catalogue/models/account-tests.store.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';

@Handles(deliveries)
export class LiveDeliveriesHandlers implements Serves<typeof deliveries> {
  constructor(
    private readonly attempts: AttemptReads,
    private readonly tests: AccountTestsStore,
  ) {}

  async live(request: In<typeof deliveries.live>) {
    const runAgent = (await this.attempts.findLiveRunAgent(request)) ?? (await this.tests.findLive(request));
    return { run_agent_id: runAgent ?? null };
  }
}
