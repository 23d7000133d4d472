import { Handles, type Serves } from '@agentclash/bus';
import { deployments, type In } from '@agentclash/contracts';
import { DeploymentsService } from './deployments.service.js';

@Handles(deployments)
export class DeploymentsHandlers implements Serves<typeof deployments> {
  constructor(private readonly service: DeploymentsService) {}

  create(ask: In<typeof deployments.create>) {
    return this.service.create(ask);
  }

  update(ask: In<typeof deployments.update>) {
    return this.service.update(ask);
  }

  list(ask: In<typeof deployments.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof deployments.get>) {
    return this.service.get(ask);
  }

  archive(ask: In<typeof deployments.archive>) {
    return this.service.archive(ask);
  }
}
