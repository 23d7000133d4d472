import { Handles, type Serves } from '@agentclash/bus';
import { deliveries, type In } from '@agentclash/contracts';
import { AccountTestsStore } from '../../catalogue/models/account-tests.store.js';
import { LiveDeliveriesStore } from '../store/live-deliveries.store.js';

@Handles(deliveries)
export class LiveDeliveriesHandlers implements Serves<typeof deliveries> {
  constructor(
    private readonly store: LiveDeliveriesStore,
    private readonly tests: AccountTestsStore,
  ) {}

  async live(request: In<typeof deliveries.live>) {
    const runAgent = (await this.store.findRunAgent(request)) ?? (await this.tests.findLive(request));
    return { run_agent_id: runAgent ?? null };
  }
}
