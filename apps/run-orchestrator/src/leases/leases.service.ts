import type { In, leases, Out } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { claimRefusal, stateAfterReport } from '../attempts/attempt-state.js';
import { AttemptsStore } from '../attempts/attempts.store.js';
import { PlansSource } from '../plans/plans.source.js';
import { isRunOver } from '../runs/run-state.js';
import { ClaimPlans } from './claim-plans.service.js';
import { DeliveryChanges } from './delivery-changes.js';
import { holderOf, leaseLost } from './holding.js';

/** What the service needs of its configuration. */
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
    private readonly attempts: AttemptsStore,
    private readonly plans: PlansSource,
    private readonly claimPlans: ClaimPlans,
    private readonly changes: DeliveryChanges,
    private readonly settings: LeaseSettings,
  ) {}

  /** Hands the next delivery of a waiting attempt to the executor, with its plan. Refuses what is not to be had. */
  async claim(ask: In<typeof leases.claim>): Promise<Out<typeof leases.claim>> {
    const context = await this.attempts.findContext(ask.attempt_id);
    if (!context) return { claimed: false, reason: 'unknown' };
    const refusal = claimRefusal({ ...context, now: new Date() });
    if (refusal) return { claimed: false, reason: refusal };
    // Planned before the claim: a registry that is away must not use up a delivery.
    const planned = await this.claimPlans.of(context, ask.executor_id);
    if (planned.kind === 'for_another') {
      await this.changes.passOn(context.runId, context.id);
      return { claimed: false, reason: 'for_another' };
    }
    const leaseUntil = this.settings.leaseEnd();
    const claim = { attemptId: context.id, executorId: ask.executor_id, leaseUntil };
    const delivery = await this.changes.claim(context.runId, claim, planned);
    if (delivery === undefined) return { claimed: false, reason: 'held' };
    if (planned.kind === 'impossible') return { claimed: false, reason: planned.code };
    return {
      claimed: true,
      delivery,
      lease_until: leaseUntil.toISOString(),
      plan: { ...planned.plan, delivery },
    };
  }

  async renew(ask: In<typeof leases.renew>): Promise<Out<typeof leases.renew>> {
    const leaseUntil = this.settings.leaseEnd();
    const held = await this.attempts.renew(holderOf(ask), leaseUntil);
    if (!held) return leaseLost(ask);
    const to = stateAfterReport(held.state, ask.state);
    if (to !== held.state) await this.changes.move(held.runId, holderOf(ask), { from: held.state, to });
    return { lease_until: leaseUntil.toISOString(), is_cancelled: isRunOver(held.runStatus) };
  }

  async grader(ask: In<typeof leases.grader>): Promise<Out<typeof leases.grader>> {
    const context = await this.attempts.findContext(ask.attempt_id);
    const isHolder = context?.delivery === ask.delivery && context.executorId === ask.executor_id;
    if (!isHolder) return leaseLost(ask);
    const plan = await this.plans.grader(context);
    const to = stateAfterReport(context.state, 'verifying');
    if (to !== context.state)
      await this.changes.move(context.runId, holderOf(ask), { from: context.state, to });
    return { plan: { ...plan } };
  }

  /** Repeating a finish that was written is accepted and changes nothing. */
  async finish(ask: In<typeof leases.finish>): Promise<Out<typeof leases.finish>> {
    if (await this.changes.finish(holderOf(ask), ask.result)) return { accepted: true };
    const written = await this.attempts.findDelivery(ask.attempt_id, ask.delivery);
    const isRepeat =
      written?.executorId === ask.executor_id && written.lastSequence === ask.result.last_sequence;
    return isRepeat ? { accepted: true } : leaseLost(ask);
  }
}
