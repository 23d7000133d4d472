import { Handles, type Serves } from '@agentclash/bus';
import { type In, leases } from '@agentclash/contracts';
import { LeasesService } from './leases.service.js';

@Handles(leases)
export class LeasesHandlers implements Serves<typeof leases> {
  constructor(private readonly service: LeasesService) {}

  claim(ask: In<typeof leases.claim>) {
    return this.service.claim(ask);
  }

  renew(ask: In<typeof leases.renew>) {
    return this.service.renew(ask);
  }

  grader(ask: In<typeof leases.grader>) {
    return this.service.grader(ask);
  }

  finish(ask: In<typeof leases.finish>) {
    return this.service.finish(ask);
  }
}
