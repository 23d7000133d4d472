import { Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, leases, type Out } from '@agentclash/contracts';
import { HistoryService } from '../queries/history.service.js';
import { AttemptReads, type PlannableAttempt } from '../store/attempts/attempt-reads.store.js';
import { CachedRepliesStore } from '../store/cached-replies.store.js';
import { ManualPhasesStore } from '../store/human-turns.store.js';
import { DeliveryFinisher } from './delivery-finisher.js';
import { type Lease, LeasesService, leaseLost } from './leases.service.js';
import { ParkedDeliveries } from './parked-deliveries.service.js';

@Handles(leases)
export class LeasesHandlers implements Serves<typeof leases> {
  constructor(
    private readonly service: LeasesService,
    private readonly finisher: DeliveryFinisher,
    private readonly parked: ParkedDeliveries,
    private readonly attempts: AttemptReads,
    private readonly phases: ManualPhasesStore,
    private readonly history: HistoryService,
    private readonly cachedReplies: CachedRepliesStore,
  ) {}

  claim(request: In<typeof leases.claim>) {
    return this.service.claim(request);
  }

  renew(request: In<typeof leases.renew>) {
    return this.service.renew(request);
  }

  grader(request: In<typeof leases.grader>) {
    return this.service.grader(request);
  }

  finish(request: In<typeof leases.finish>) {
    return this.finisher.finish(request);
  }

  park(request: In<typeof leases.park>) {
    return this.parked.park(request);
  }

  renewParked(request: In<typeof leases.renewParked>) {
    return this.parked.renew(request);
  }

  resume(request: In<typeof leases.resume>) {
    return this.parked.resume(request);
  }

  async reachPhase(request: In<typeof leases.reachPhase>): Promise<Out<typeof leases.reachPhase>> {
    const { id: attemptId, delivery } = await this.held(request);
    return { is_requested: await this.phases.reach({ attemptId, delivery, phaseId: request.phase_id }) };
  }

  async recording(request: In<typeof leases.recording>): Promise<Out<typeof leases.recording>> {
    const replayed = await this.attempts.findReplayed((await this.held(request)).id);
    if (replayed) return await this.history.recording(replayed, request.after);
    throw new ContractError('not_found', 'The attempt that is to be replayed was deleted.');
  }

  async cachedReply(request: In<typeof leases.cachedReply>): Promise<Out<typeof leases.cachedReply>> {
    const { workspaceId } = await this.held(request);
    return { event: await this.cachedReplies.find(workspaceId, request.key) };
  }

  async cacheReply(request: In<typeof leases.cacheReply>): Promise<Out<typeof leases.cacheReply>> {
    const { id: attemptId, delivery, runId, workspaceId } = await this.held(request);
    const { key, sequence_number: sequenceNumber } = request;
    await this.cachedReplies.put({ workspaceId, key, runId, attemptId, delivery, sequenceNumber });
    return {};
  }

  async peers(request: In<typeof leases.peers>): Promise<Out<typeof leases.peers>> {
    return { items: await this.attempts.peers(await this.held(request)) };
  }

  private async held(request: Lease): Promise<PlannableAttempt> {
    const context = await this.attempts.findContext(request.attempt_id);
    const isHolder = context?.delivery === request.delivery && context.executorId === request.executor_id;
    return isHolder ? context : leaseLost(request);
  }
}
