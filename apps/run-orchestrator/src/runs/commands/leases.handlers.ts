import { Handles, type Serves } from '@agentclash/bus';
import { type In, leases } from '@agentclash/contracts';
import { DeliveryFinisher } from './delivery-finisher.js';
import { DeliveryQueries } from './delivery-queries.service.js';
import { LeasesService } from './leases.service.js';
import { Parking } from './parking.service.js';
import { Resumptions } from './resumptions.service.js';

@Handles(leases)
export class LeasesHandlers implements Serves<typeof leases> {
  constructor(
    private readonly service: LeasesService,
    private readonly finisher: DeliveryFinisher,
    private readonly parking: Parking,
    private readonly resumptions: Resumptions,
    private readonly questions: DeliveryQueries,
  ) {}

  claim(request: In<typeof leases.claim>) {
    return this.service.claim(request);
  }

  renew(request: In<typeof leases.renew>) {
    return this.service.renew(request);
  }

  grader(request: In<typeof leases.grader>) {
    return this.service.grader(request);
  }

  finish(request: In<typeof leases.finish>) {
    return this.finisher.finish(request);
  }

  park(request: In<typeof leases.park>) {
    return this.parking.park(request);
  }

  renewParked(request: In<typeof leases.renewParked>) {
    return this.parking.renew(request);
  }

  resume(request: In<typeof leases.resume>) {
    return this.resumptions.resume(request);
  }

  reachPhase(request: In<typeof leases.reachPhase>) {
    return this.questions.reachPhase(request);
  }

  peers(request: In<typeof leases.peers>) {
    return this.questions.peers(request);
  }
}
