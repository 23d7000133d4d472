import { Handles, type Serves } from '@agentclash/bus';
import { deployments, type In } from '@agentclash/contracts';
import { DeploymentsService } from './deployments.service.js';

@Handles(deployments)
export class DeploymentsHandlers implements Serves<typeof deployments> {
  constructor(private readonly service: DeploymentsService) {}

  create(request: In<typeof deployments.create>) {
    return this.service.create(request);
  }

  update(request: In<typeof deployments.update>) {
    return this.service.update(request);
  }

  list(request: In<typeof deployments.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof deployments.get>) {
    return this.service.get(request);
  }

  archive(request: In<typeof deployments.archive>) {
    return this.service.archive(request);
  }
}
