import type { In, leases, Out } from '@agentclash/contracts';
import { claimConflict } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { AttemptReads, type PlannableAttempt } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import type { Claim } from '../store/attempts/delivery-writes.store.js';
import { DeliveryChanges } from './delivery-changes.js';
import { LeaseSettings } from './lease.js';
import { type ClaimPlan, ClaimPlans } from './plans.source.js';

type Claimed = Out<typeof leases.claim>['items'][number];

/** Plans of one reply, but for a single one that is larger; the bus carries 8 MiB. */
const PLANS_BYTES_MAX = 2_097_152;

/** Claims of executors, with the plans of the claimed deliveries. */
@Injectable()
export class ClaimsService {
  constructor(
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly plans: ClaimPlans,
    private readonly changes: DeliveryChanges,
    private readonly settings: LeaseSettings,
  ) {}

  /**
   * Claims the next deliveries of queued attempts for the executor and returns their plans, also for a repeated request under
   * the same claim id. Refuses attempts that are not claimable.
   */
  async claim(request: In<typeof leases.claim>): Promise<Out<typeof leases.claim>> {
    const { attempt_ids, executor_id: executorId, claim_id: claimId } = request;
    const contexts = new Map((await this.attempts.findContexts(attempt_ids)).map((each) => [each.id, each]));
    const now = new Date();
    const conflicts = new Map([...contexts].map(([id, each]) => [id, claimConflict({ ...each, now })]));
    const isOpen = ({ id }: PlannableAttempt) => conflicts.get(id) === undefined;
    const mayBeItsOwn = (each: PlannableAttempt) => claimId !== undefined && isJustHeldBy(each, executorId);
    // Planned before the claim: an unavailable registry must not use up a delivery.
    const wanted = [...contexts.values()].filter((each) => isOpen(each) || mayBeItsOwn(each));
    const plans = await this.plansOf(wanted, executorId);
    // Plans beyond the reply's size limit can be requested again.
    for (const { id } of wanted) if (!plans.has(id)) conflicts.delete(id);
    const lease = { executorId, claimId, leaseUntil: this.settings.leaseEnd() };
    const won = await Promise.all(
      [...byRun(wanted.filter(isOpen))].map(([runId, ids]) =>
        this.changes.claim({ runId, ids, ...lease }, plans),
      ),
    );
    const deliveries = new Map(won.flatMap((ofRun) => [...ofRun]));
    const others = [...plans.keys()].filter((id) => !deliveries.has(id));
    const wonBefore = await this.wonBefore(others, lease);
    return {
      lease_until: lease.leaseUntil.toISOString(),
      items: attempt_ids.map((id): Claimed => {
        const delivery = deliveries.get(id) ?? wonBefore.get(id);
        const reason = contexts.has(id) ? conflicts.get(id) : 'unknown';
        if (reason !== undefined && delivery === undefined) return { attempt_id: id, claimed: false, reason };
        return claimedOf(id, plans.get(id), delivery);
      }),
    };
  }

  /** Deliveries that the same claim won when its reply was lost, by attempt; their leases begin again. */
  private async wonBefore(
    ids: readonly string[],
    claim: Pick<Claim, 'executorId' | 'claimId' | 'leaseUntil'>,
  ): Promise<Map<string, number>> {
    const { executorId, claimId, leaseUntil: until } = claim;
    if (claimId === undefined || ids.length === 0) return new Map();
    const won = await this.attempts.wonBefore(ids, { executorId, claimId });
    if (won.length === 0) return new Map();
    const held = new Set((await this.writes.renew(won, { executorId, until })).map(({ id }) => id));
    return new Map(
      won
        .filter(({ attempt_id: id }) => held.has(id))
        .map(({ attempt_id, delivery }) => [attempt_id, delivery]),
    );
  }

  /** The plan of each attempt; those beyond the reply's size limit are left out. */
  private async plansOf(
    contexts: readonly PlannableAttempt[],
    executorId: string,
  ): Promise<Map<string, ClaimPlan>> {
    const plans = new Map<string, ClaimPlan>();
    let bytes = 0;
    if (contexts.length > 1) await this.plans.prepare(contexts);
    for (const context of contexts) {
      const planned = await this.plans.of(context, executorId);
      if (contexts.length > 1) bytes += bytesOf(planned);
      if (bytes > PLANS_BYTES_MAX && plans.size > 0) break;
      plans.set(context.id, planned);
    }
    return plans;
  }
}

/** True when this executor may have claimed it without receiving the reply. */
function isJustHeldBy({ state, executorId: holder }: PlannableAttempt, executorId: string): boolean {
  return state === 'preparing' && holder === executorId;
}

function byRun(contexts: readonly PlannableAttempt[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { id, runId } of contexts) ids.set(runId, [...(ids.get(runId) ?? []), id]);
  return ids;
}

function claimedOf(id: string, planned: ClaimPlan | undefined, delivery: number | undefined): Claimed {
  const refused = (reason: string): Claimed => ({ attempt_id: id, claimed: false, reason });
  if (planned === undefined) return refused('later');
  if (planned.kind === 'for_another') return refused('for_another');
  if (delivery === undefined) return refused('held');
  if (planned.kind === 'impossible') return refused(planned.code);
  return { attempt_id: id, claimed: true, delivery, plan: { ...planned.plan, delivery } };
}

function bytesOf(planned: ClaimPlan): number {
  return planned.kind === 'work' ? Buffer.byteLength(JSON.stringify(planned.plan)) : 0;
}
