import { ContractError, type In, type leases, type Out } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { stateAfterReport } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import type { Move, RenewedDelivery } from '../store/attempts/delivery-writes.store.js';
import { DeliveryChanges } from './delivery-changes.js';
import { HeldDeliveries } from './held-deliveries.service.js';
import { holderOf, LeaseSettings } from './lease.js';
import { PlansSource } from './plans.source.js';

/** Leases of claimed deliveries, and the states that their executors report. */
@Injectable()
export class LeasesService {
  constructor(
    private readonly held: HeldDeliveries,
    private readonly writes: AttemptWrites,
    private readonly plans: PlansSource,
    private readonly changes: DeliveryChanges,
    private readonly settings: LeaseSettings,
  ) {}

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
    const context = await this.held.get(request);
    const plan = await this.plans.grader(context);
    if (request.for_phase) {
      if (plan.gates === undefined)
        throw new ContractError('conflict', 'No phase of the attempt has a gate.');
      return { plan: { ...plan } };
    }
    const { runId, state: from } = context;
    const to = stateAfterReport(from, 'verifying');
    if (to !== from) await this.changes.move(runId, [{ ...holderOf(request), from, to }]);
    return { plan: { ...plan } };
  }
}

function fateOf(held: RenewedDelivery | undefined) {
  if (held === undefined) return 'lost';
  return hasRunEnded(held.runStatus) || held.isHalted ? 'cancelled' : 'held';
}
