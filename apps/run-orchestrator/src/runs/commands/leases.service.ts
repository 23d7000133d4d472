import { ContractError, type In, type leases, type Out } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { claimConflict, stateAfterReport } from '../state/delivery-state.js';
import { AttemptReads, type PlannableAttempt } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import type { Claim, Move, RenewedDelivery } from '../store/attempts/delivery-writes.store.js';
import { DeliveryChanges } from './delivery-changes.js';
import { type ClaimPlan, ClaimPlans, PlansSource } from './plans.source.js';

type Claimed = Out<typeof leases.claim>['items'][number];

/** Plans of one reply, but for a single one that is larger; the bus carries 8 MiB. */
const PLANS_BYTES_MAX = 2_097_152;

/** The configuration of the service. */
export class LeaseSettings {
  constructor(private readonly leaseMs: number) {}

  /** Of a lease that is given or extended now. */
  leaseEnd(): Date {
    return new Date(Date.now() + this.leaseMs);
  }
}

@Injectable()
export class LeasesService {
  constructor(
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly plans: PlansSource,
    private readonly claimPlans: ClaimPlans,
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

  async renew(request: In<typeof leases.renew>): Promise<Out<typeof leases.renew>> {
    const until = this.settings.leaseEnd();
    const held = await this.writes.renew(request.items, { executorId: request.executor_id, until });
    const byId = new Map(held.map((each) => [each.id, each]));
    const moves = new Map<string, Move[]>();
    for (const { attempt_id: attemptId, delivery, state } of request.items) {
      const from = byId.get(attemptId);
      const to = from && stateAfterReport(from.state, state);
      if (!from || to === undefined || to === from.state) continue;
      const ofRun = moves.get(from.runId) ?? [];
      moves.set(from.runId, [...ofRun, { attemptId, delivery, from: from.state, to }]);
    }
    await Promise.all([...moves].map(([runId, ofRun]) => this.changes.move(runId, ofRun)));
    return {
      lease_until: until.toISOString(),
      items: request.items.map(({ attempt_id }) => ({ attempt_id, fate: fateOf(byId.get(attempt_id)) })),
    };
  }

  async grader(request: In<typeof leases.grader>): Promise<Out<typeof leases.grader>> {
    const context = await this.attempts.findContext(request.attempt_id);
    const isHolder = context?.delivery === request.delivery && context.executorId === request.executor_id;
    if (!isHolder) return leaseLost(request);
    const plan = await this.plans.grader(context);
    const { runId, state: from } = context;
    const to = stateAfterReport(from, 'verifying');
    if (to !== from) await this.changes.move(runId, [{ ...holderOf(request), from, to }]);
    return { plan: { ...plan } };
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
    for (const context of contexts) {
      const planned = await this.claimPlans.of(context, executorId);
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

function fateOf(held: RenewedDelivery | undefined) {
  if (held === undefined) return 'lost';
  return hasRunEnded(held.runStatus) ? 'cancelled' : 'held';
}

function bytesOf(planned: ClaimPlan): number {
  return planned.kind === 'work' ? Buffer.byteLength(JSON.stringify(planned.plan)) : 0;
}

/** The identifiers of a lease, as an executor sends them. */
export type Lease = { attempt_id: string; delivery: number; executor_id: string };

export function holderOf({ attempt_id: attemptId, delivery, executor_id: executorId }: Lease) {
  return { attemptId, delivery, executorId };
}

export function leaseLost({ attempt_id, delivery }: Lease): never {
  throw new ContractError(
    'lease_lost',
    `Delivery ${delivery} of attempt ${attempt_id} is not held by this executor.`,
  );
}
