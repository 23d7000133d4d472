import { Handles, type Serves } from '@agentclash/bus';
import { gatePolicies, type In } from '@agentclash/contracts';
import { GatePoliciesService } from './gate-policies.service.js';

@Handles(gatePolicies)
export class GatePoliciesHandlers implements Serves<typeof gatePolicies> {
  constructor(private readonly service: GatePoliciesService) {}

  create(request: In<typeof gatePolicies.create>) {
    return this.service.create(request);
  }

  update(request: In<typeof gatePolicies.update>) {
    return this.service.update(request);
  }

  list(request: In<typeof gatePolicies.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof gatePolicies.get>) {
    return this.service.get(request);
  }

  getDefault(request: In<typeof gatePolicies.getDefault>) {
    return this.service.getDefault(request);
  }

  async remove(request: In<typeof gatePolicies.remove>) {
    await this.service.remove(request);
    return {};
  }
}
