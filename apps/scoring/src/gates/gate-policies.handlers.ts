import { Handles, type Serves } from '@agentclash/bus';
import { gatePolicies, type In } from '@agentclash/contracts';
import { GatePoliciesService } from './gate-policies.service.js';

@Handles(gatePolicies)
export class GatePoliciesHandlers implements Serves<typeof gatePolicies> {
  constructor(private readonly service: GatePoliciesService) {}

  create(ask: In<typeof gatePolicies.create>) {
    return this.service.create(ask);
  }

  update(ask: In<typeof gatePolicies.update>) {
    return this.service.update(ask);
  }

  list(ask: In<typeof gatePolicies.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof gatePolicies.get>) {
    return this.service.get(ask);
  }

  getDefault(ask: In<typeof gatePolicies.getDefault>) {
    return this.service.getDefault(ask);
  }

  async remove(ask: In<typeof gatePolicies.remove>) {
    await this.service.remove(ask);
    return {};
  }
}
