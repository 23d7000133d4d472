import type { In, leases, Out } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../changes/run-changes.service.js';
import { recordMove } from '../state/attempt-move.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { HumanTurnsStore } from '../store/human-turns.store.js';
import { holderOf, leaseLost } from './lease.js';
import { LeaseSettings } from './leases.service.js';

/** Lets deliveries wait for people: their executor keeps the sandbox and the lease, and works on others meanwhile. */
@Injectable()
export class Parking {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly turns: HumanTurnsStore,
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
}
