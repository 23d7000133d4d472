import type { In, leases, Out } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../changes/run-changes.service.js';
import { recordMove } from '../state/state-moves.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { HumanTurnsStore } from '../store/human-turns.store.js';
import { holderOf, LeaseSettings, leaseLost } from './lease.js';
import { PlansSource } from './plans.source.js';

type Resumption = Omit<Extract<Out<typeof leases.resume>, { resumed: true }>, 'plan'> | { resumed: false };

/**
 * Deliveries that wait for a person: their executor keeps the sandbox and the lease, works on others meanwhile, and
 * resumes them after a human turn or its timeout.
 */
@Injectable()
export class ParkedDeliveries {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly turns: HumanTurnsStore,
    private readonly plans: PlansSource,
    private readonly settings: LeaseSettings,
  ) {}

  async park(request: In<typeof leases.park>): Promise<Out<typeof leases.park>> {
    const holder = holderOf(request);
    const parked = await this.changes.makeOfAttempt(request.attempt_id, async (change, tx) => {
      if (hasRunEnded(change.status)) return false;
      const held = await this.writes.park(tx, holder, this.settings.leaseEnd());
      if (!held) return undefined;
      await this.turns.await(tx, holder, { ...request.awaits, state: request.state });
      if (held.from === 'preparing') recordMove(change, held, { from: 'preparing', to: 'running' });
      if (held.from !== 'parked') recordMove(change, held, { from: 'running', to: 'parked' });
      change.requestDispatch('window');
      return true;
    });
    return parked === undefined ? leaseLost(request) : { parked };
  }

  async renew(request: In<typeof leases.renewParked>): Promise<Out<typeof leases.renewParked>> {
    const lease = { executorId: request.executor_id, until: this.settings.leaseEnd(), now: new Date() };
    const fates = new Map(
      (await this.writes.renewParked(request.items, lease)).map(({ id, fate }) => [id, fate]),
    );
    return {
      items: request.items.map(({ attempt_id }) => ({ attempt_id, fate: fates.get(attempt_id) ?? 'lost' })),
    };
  }

  async resume(request: In<typeof leases.resume>): Promise<Out<typeof leases.resume>> {
    const context = await this.attempts.findContext(request.attempt_id);
    if (!context) return leaseLost(request);
    // Planned first: while the registry is unavailable the delivery stays parked.
    const plan = await this.plans.of(context, request.delivery);
    const resumption = await this.unpark(request);
    if (!resumption) return leaseLost(request);
    return resumption.resumed ? { ...resumption, plan: { ...plan } } : resumption;
  }

  private async unpark(request: In<typeof leases.resume>): Promise<Resumption | undefined> {
    const holder = holderOf(request);
    return await this.changes.makeOfAttempt(request.attempt_id, async (change, tx) => {
      const parked = await this.attempts.findParked(tx, holder);
      if (!parked) return undefined;
      const { attemptState, deadlineAt, state, message } = parked;
      const is_cancelled = hasRunEnded(change.status) || change.isHalted(parked.runAgentId);
      const waits = message === null && deadlineAt > change.now && !is_cancelled && !request.to_end;
      if (attemptState === 'parked') {
        if (waits) return { resumed: false };
        await this.writes.unpark(tx, holder, this.settings.leaseEnd());
        recordMove(change, parked, { from: 'parked', to: 'running' });
      }
      return { resumed: true, state, message, is_cancelled };
    });
  }
}
