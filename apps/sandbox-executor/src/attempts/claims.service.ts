import { Bus } from '@agentclash/bus';
import { leases, type Out } from '@agentclash/contracts';
import { Combiner, newId } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { LEASE_PATIENCE_MS } from './leases.loop.js';
import { LiveAttempts } from './live-attempts.js';
import { MACHINE, type Machine } from './machine.js';
import { isAway, patiently } from './patiently.js';

export type Claim = Out<typeof leases.claim>['items'][number];

/** As many as one request may name. */
const TOGETHER_MAX = 64;

/** Asks for deliveries of attempts. */
@Injectable()
export class Claims {
  private readonly singles: Combiner<string, Claim>;

  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    @Inject(MACHINE) private readonly machine: Pick<Machine, 'executorId'>,
  ) {
    this.singles = new Combiner((ids) => this.ask(ids), { itemsMax: TOGETHER_MAX, failsAlike: isAway });
  }

  /** A delivery of one attempt. Those that are wanted while a request is on its way are asked for together. */
  async one(attemptId: string): Promise<Claim> {
    const claim = await this.singles.add(attemptId);
    return isForLater(claim) ? await this.one(attemptId) : claim;
  }

  /** In the order asked. A claim may be won and its answer lost: under the same id it is answered again. */
  async ask(attemptIds: readonly string[], claim_id = newId()): Promise<Claim[]> {
    const { executorId: executor_id } = this.machine;
    const { items } = await patiently(
      () => this.bus.call(leases.claim, { attempt_ids: [...attemptIds], executor_id, claim_id }),
      LEASE_PATIENCE_MS,
      () => !this.live.isStopping,
    );
    return items;
  }
}

/** Whether the reply had no room for its plan: it may be asked for again at once. */
export function isForLater(claim: Claim): boolean {
  return !claim.claimed && claim.reason === 'later';
}
