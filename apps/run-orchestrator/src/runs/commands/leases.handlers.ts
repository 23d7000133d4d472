import { Handles, type Serves } from '@agentclash/bus';
import { type In, leases } from '@agentclash/contracts';
import { ClaimsService } from './claims.service.js';
import { DeliveryFinisher } from './delivery-finisher.js';
import { HeldDeliveries } from './held-deliveries.service.js';
import { LeasesService } from './leases.service.js';
import { ParkedDeliveries } from './parked-deliveries.service.js';

@Handles(leases)
export class LeasesHandlers implements Serves<typeof leases> {
  constructor(
    private readonly claims: ClaimsService,
    private readonly service: LeasesService,
    private readonly finisher: DeliveryFinisher,
    private readonly parked: ParkedDeliveries,
    private readonly held: HeldDeliveries,
  ) {}

  claim(request: In<typeof leases.claim>) {
    return this.claims.claim(request);
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
    return this.parked.park(request);
  }

  renewParked(request: In<typeof leases.renewParked>) {
    return this.parked.renew(request);
  }

  resume(request: In<typeof leases.resume>) {
    return this.parked.resume(request);
  }

  reachPhase(request: In<typeof leases.reachPhase>) {
    return this.held.reachPhase(request);
  }

  recording(request: In<typeof leases.recording>) {
    return this.held.recording(request);
  }

  cachedReply(request: In<typeof leases.cachedReply>) {
    return this.held.cachedReply(request);
  }

  cacheReply(request: In<typeof leases.cacheReply>) {
    return this.held.cacheReply(request);
  }

  peers(request: In<typeof leases.peers>) {
    return this.held.peers(request);
  }
}
