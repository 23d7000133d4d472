import type { In, leases, Out } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { type AttemptContext, AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { ManualPhasesStore } from '../store/manual-phases.store.js';
import { type Lease, leaseLost } from './lease.js';

/** Queries of a running delivery about its phases and its peers. */
@Injectable()
export class DeliveryQueries {
  constructor(
    private readonly phases: ManualPhasesStore,
    private readonly attempts: AttemptReads,
  ) {}

  async reachPhase(request: In<typeof leases.reachPhase>): Promise<Out<typeof leases.reachPhase>> {
    const { id: attemptId, delivery } = await this.held(request);
    return { is_requested: await this.phases.reach({ attemptId, delivery, phaseId: request.phase_id }) };
  }

  async peers(request: In<typeof leases.peers>): Promise<Out<typeof leases.peers>> {
    return { items: await this.attempts.peers(await this.held(request)) };
  }

  private async held(request: Lease): Promise<AttemptContext> {
    const context = await this.attempts.findContext(request.attempt_id);
    const isHolder = context?.delivery === request.delivery && context.executorId === request.executor_id;
    return isHolder ? context : leaseLost(request);
  }
}
