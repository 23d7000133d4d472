import { Handles, type Serves } from '@agentclash/bus';
import { deliveries, type In } from '@agentclash/contracts';
import { LiveDeliveriesStore } from './live-deliveries.store.js';

@Handles(deliveries)
export class LiveDeliveriesHandlers implements Serves<typeof deliveries> {
  constructor(private readonly store: LiveDeliveriesStore) {}

  async live(ask: In<typeof deliveries.live>) {
    return { run_agent_id: (await this.store.findRunAgent(ask)) ?? null };
  }
}
