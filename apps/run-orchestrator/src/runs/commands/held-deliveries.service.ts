import { ContractError, type In, type leases, type Out } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { HistoryService } from '../queries/history.service.js';
import { AttemptReads, type PlannableAttempt } from '../store/attempts/attempt-reads.store.js';
import { CachedRepliesStore } from '../store/cached-replies.store.js';
import { ManualPhasesStore } from '../store/human-turns.store.js';
import { type Lease, leaseLost } from './lease.js';

/** Requests of executors about deliveries that they hold. All fail with `lease_lost` for others. */
@Injectable()
export class HeldDeliveries {
  constructor(
    private readonly attempts: AttemptReads,
    private readonly phases: ManualPhasesStore,
    private readonly history: HistoryService,
    private readonly cachedReplies: CachedRepliesStore,
  ) {}

  async get(request: Lease): Promise<PlannableAttempt> {
    const context = await this.attempts.findContext(request.attempt_id);
    const isHolder = context?.delivery === request.delivery && context.executorId === request.executor_id;
    return isHolder ? context : leaseLost(request);
  }

  async reachPhase(request: In<typeof leases.reachPhase>): Promise<Out<typeof leases.reachPhase>> {
    const { id: attemptId, delivery } = await this.get(request);
    return { is_requested: await this.phases.reach({ attemptId, delivery, phaseId: request.phase_id }) };
  }

  async recording(request: In<typeof leases.recording>): Promise<Out<typeof leases.recording>> {
    const replayed = await this.attempts.findReplayed((await this.get(request)).id);
    if (replayed) return await this.history.recording(replayed, request.after);
    throw new ContractError('not_found', 'The attempt that is to be replayed was deleted.');
  }

  async cachedReply(request: In<typeof leases.cachedReply>): Promise<Out<typeof leases.cachedReply>> {
    const { workspaceId } = await this.get(request);
    return { event: await this.cachedReplies.find(workspaceId, request.key) };
  }

  async cacheReply(request: In<typeof leases.cacheReply>): Promise<Out<typeof leases.cacheReply>> {
    const { id: attemptId, delivery, runId, workspaceId } = await this.get(request);
    const { key, sequence_number: sequenceNumber } = request;
    await this.cachedReplies.put({ workspaceId, key, runId, attemptId, delivery, sequenceNumber });
    return {};
  }

  async peers(request: In<typeof leases.peers>): Promise<Out<typeof leases.peers>> {
    return { items: await this.attempts.peers(await this.get(request)) };
  }
}
