import { Bus } from '@agentclash/bus';
import { leases, type Out } from '@agentclash/contracts';
import { Batcher, isUnavailable, newId, retryWhileUnavailable } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';
import { LiveAttempts } from '../capacity/live-attempts.js';
import { RECONNECT_TIMEOUT_MS } from './leases.loop.js';

export type Claim = Out<typeof leases.claim>['items'][number];

/** As many as one request may name. */
const TOGETHER_MAX = 64;

/** Claims deliveries of attempts. */
@Injectable()
export class Claims {
  private readonly batches: Batcher<readonly string[], Claim[]>;

  constructor(
    private readonly bus: Bus,
    private readonly live: LiveAttempts,
    @Inject(MACHINE) private readonly machine: Pick<Machine, 'executorId'>,
  ) {
    this.batches = new Batcher((batches) => this.claimBatches(batches), {
      itemsMax: TOGETHER_MAX,
      weight: { of: ({ length }) => length, max: TOGETHER_MAX },
      isSharedFailure: isUnavailable,
    });
  }

  /** A delivery of one attempt. */
  async one(attemptId: string): Promise<Claim> {
    const [claim] = await this.of([attemptId]);
    if (claim === undefined) throw new RangeError('the claim has no reply');
    return isForLater(claim) ? await this.one(attemptId) : claim;
  }

  /**
   * Deliveries of at most 64 attempts, in the order of the ids. Claims that arrive during a request are sent together
   * in the next one.
   */
  async of(attemptIds: readonly string[]): Promise<Claim[]> {
    return await this.batches.add(attemptIds);
  }

  private async claimBatches(batches: readonly (readonly string[])[]): Promise<Claim[][]> {
    const claims = await this.request([...new Set(batches.flat())]);
    const left = new Map(claims.map((claim) => [claim.attempt_id, claim]));
    return batches.map((ids) =>
      ids.map((id) => {
        const claim = left.get(id) ?? heldByAnother(id);
        // A duplicate job must not begin the same delivery twice.
        left.delete(id);
        return claim;
      }),
    );
  }

  /** A claim may succeed and its reply get lost: a repeated request with the same id has the same reply. */
  private async request(attemptIds: readonly string[]): Promise<Claim[]> {
    const { executorId: executor_id } = this.machine;
    const claim_id = newId();
    const { items } = await retryWhileUnavailable(
      () => this.bus.call(leases.claim, { attempt_ids: [...attemptIds], executor_id, claim_id }),
      {
        timeoutMs: RECONNECT_TIMEOUT_MS,
        isRetryable: (error) => isUnavailable(error) && !this.live.isStopping,
      },
    );
    return items;
  }
}

function heldByAnother(attempt_id: string): Claim {
  return { attempt_id, claimed: false, reason: 'held' };
}

/** True when the plan did not fit the reply: the attempt may be claimed again at once. */
export function isForLater(claim: Claim): boolean {
  return !claim.claimed && claim.reason === 'later';
}
