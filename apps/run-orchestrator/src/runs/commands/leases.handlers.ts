import { Handles, type Serves } from '@agentclash/bus';
import { type In, leases } from '@agentclash/contracts';
import { Questions } from './delivery-queries.service.js';
import { Finishes } from './finishes.service.js';
import { LeasesService } from './leases.service.js';
import { Parking } from './parking.service.js';
import { Resumptions } from './resumptions.service.js';

@Handles(leases)
export class LeasesHandlers implements Serves<typeof leases> {
  constructor(
    private readonly service: LeasesService,
    private readonly finishes: Finishes,
    private readonly parking: Parking,
    private readonly resumptions: Resumptions,
    private readonly questions: Questions,
  ) {}

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
    return this.finishes.take(ask);
  }

  park(ask: In<typeof leases.park>) {
    return this.parking.park(ask);
  }

  renewParked(ask: In<typeof leases.renewParked>) {
    return this.parking.renew(ask);
  }

  resume(ask: In<typeof leases.resume>) {
    return this.resumptions.resume(ask);
  }

  reachPhase(ask: In<typeof leases.reachPhase>) {
    return this.questions.reachPhase(ask);
  }

  peers(ask: In<typeof leases.peers>) {
    return this.questions.peers(ask);
  }
}
