import type { In, leases, Out } from '@agentclash/contracts';
import { isRunOver } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../changes/run-changes.service.js';
import { recordMove } from '../state/attempt-move.js';
import { ParkedStore } from '../store/parked.store.js';
import { holderOf, leaseLost } from './lease.js';
import { LeaseSettings } from './leases.service.js';

/** Lets deliveries wait for people: their executor keeps the sandbox and the lease, and works on others meanwhile. */
@Injectable()
export class Parking {
  constructor(
    private readonly changes: RunChanges,
    private readonly store: ParkedStore,
    private readonly settings: LeaseSettings,
  ) {}

  async park(ask: In<typeof leases.park>): Promise<Out<typeof leases.park>> {
    const holder = holderOf(ask);
    const parked = await this.changes.makeOfAttempt(ask.attempt_id, async (change, tx) => {
      if (isRunOver(change.status)) return false;
      const held = await this.store.park(tx, holder, this.settings.leaseEnd());
      if (!held) return undefined;
      await this.store.await(tx, holder, { ...ask.awaits, state: ask.state });
      if (held.from === 'preparing') recordMove(change, held, { from: 'preparing', to: 'running' });
      if (held.from !== 'parked') recordMove(change, held, { from: 'running', to: 'parked' });
      change.makeRoom('window');
      return true;
    });
    return parked === undefined ? leaseLost(ask) : { parked };
  }

  async renew(ask: In<typeof leases.renewParked>): Promise<Out<typeof leases.renewParked>> {
    const lease = { executorId: ask.executor_id, until: this.settings.leaseEnd(), now: new Date() };
    const fates = new Map((await this.store.renew(ask.items, lease)).map(({ id, fate }) => [id, fate]));
    return {
      items: ask.items.map(({ attempt_id }) => ({ attempt_id, fate: fates.get(attempt_id) ?? 'lost' })),
    };
  }
}
