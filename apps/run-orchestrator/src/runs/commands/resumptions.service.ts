import type { In, leases, Out } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../changes/run-changes.service.js';
import { recordMove } from '../state/attempt-move.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { holderOf, leaseLost } from './lease.js';
import { LeaseSettings } from './leases.service.js';
import { PlansSource } from './plans.source.js';

type Resumption = Omit<Extract<Out<typeof leases.resume>, { resumed: true }>, 'plan'> | { resumed: false };

/** Resumes parked deliveries on their executor after a human turn or its timeout. */
@Injectable()
export class Resumptions {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly plans: PlansSource,
    private readonly attempts: AttemptReads,
    private readonly settings: LeaseSettings,
  ) {}

  async resume(request: In<typeof leases.resume>): Promise<Out<typeof leases.resume>> {
    const context = await this.attempts.findContext(request.attempt_id);
    if (!context) return leaseLost(request);
    // Planned first: while the registry is unavailable the delivery stays parked.
    const plan = await this.plans.of(context, request.delivery);
    const resumption = await this.take(request);
    if (!resumption) return leaseLost(request);
    return resumption.resumed ? { ...resumption, plan: { ...plan } } : resumption;
  }

  private async take(request: In<typeof leases.resume>): Promise<Resumption | undefined> {
    const holder = holderOf(request);
    return await this.changes.makeOfAttempt(request.attempt_id, async (change, tx) => {
      const parked = await this.attempts.findParked(tx, holder);
      if (!parked) return undefined;
      const { attemptState, deadlineAt, state, message } = parked;
      const is_cancelled = hasRunEnded(change.status);
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
