import { startsAttempts } from '@agentclash/domain';
import { interruptedResult, progressOf } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun, recordMove } from '../state/state-moves.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import type { Claim, Move } from '../store/attempts/delivery-writes.store.js';
import { RunsStore } from '../store/runs.store.js';
import { Deliveries } from './deliveries.service.js';
import type { ClaimPlan } from './plans.source.js';

/** An attempt that one executor cannot run waits this long, so that the queue is not kept busy by offering it. */
const PASS_ON_MS = 1_000;

/** Attempts of one run that one executor requests. */
export type ClaimRequest = Omit<Claim, 'now' | 'attemptIds'> & { ids: readonly string[] };

/** How executors come to hold attempts and move them on. */
@Injectable()
export class DeliveryChanges {
  constructor(
    private readonly runs: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly deliveries: Deliveries,
    private readonly store: RunsStore,
  ) {}

  /**
   * Claims what the executor can work on and leaves the rest to others. Returns the deliveries that were claimed, by
   * attempt; what was not claimable, or has no plan, is absent. Impossible ones end as they begin.
   */
  async claim(wanted: ClaimRequest, plans: ReadonlyMap<string, ClaimPlan>): Promise<Map<string, number>> {
    const { ids, ...claim } = wanted;
    const isForAnother = (id: string) => plans.get(id)?.kind === 'for_another';
    const passed = ids.filter(isForAnother);
    if (passed.length > 0) await this.passOn(claim.runId, passed);
    const attemptIds = ids.filter((id) => plans.has(id) && !isForAnother(id));
    if (attemptIds.length === 0) return new Map();
    return await this.runs.join(
      claim.runId,
      (change, tx) =>
        this.claimInChange(change, tx, {
          claim: { ...claim, attemptIds, now: change.now },
          plans,
        }),
      attemptIds.length,
    );
  }

  async move(runId: string, moves: readonly Move[]): Promise<void> {
    await this.runs.join(runId, async (change, tx) => {
      for (const { from, to, ...moved } of await this.writes.move(tx, moves)) {
        recordMove(change, moved, { from, to });
      }
    });
  }

  /** Attempts that executors cannot run are offered again a little later, and no delivery is used up. */
  private async passOn(runId: string, attemptIds: string[]): Promise<void> {
    await this.runs.make(runId, async ({ now }, tx) => {
      await this.writes.putBack(tx, attemptIds, new Date(now.getTime() + PASS_ON_MS));
    });
  }

  private async claimInChange(
    change: RunChange,
    tx: Transaction,
    { claim, plans }: { claim: Claim; plans: ReadonlyMap<string, ClaimPlan> },
  ): Promise<Map<string, number>> {
    const won = startsAttempts(change.status) ? await this.writes.claim(tx, claim) : [];
    if (won.length === 0) return new Map();
    for (const attempt of won) {
      change.count(attempt.runAgentId, { queued: -1, running: 1 });
      recordMove(change, attempt, { from: 'queued', to: 'preparing' });
    }
    if (change.status === 'queued') await this.start(change, tx);
    change.requestDispatch('queue');
    for (const { id, runAgentId, delivery } of won) {
      const plan = plans.get(id);
      if (plan?.kind === 'impossible')
        await this.fail(change, tx, { id, runAgentId, delivery, because: plan });
      else if (plan?.kind === 'work' && plan.warning) await this.store.warn(tx, claim.runId, plan.warning);
    }
    return new Map(won.map(({ id, delivery }) => [id, delivery]));
  }

  private async start(change: RunChange, tx: Transaction): Promise<void> {
    const agents = await this.runs.agents(change, tx);
    change.set({ startedAt: change.now });
    moveRun(change, 'running', { counts: progressOf(agents.map(({ counts }) => counts)) });
  }

  private async fail(
    change: RunChange,
    tx: Transaction,
    {
      id,
      runAgentId,
      delivery,
      because,
    }: { id: string; runAgentId: string; delivery: number; because: { code: string; message: string } },
  ): Promise<void> {
    const result = interruptedResult({
      outcome: 'infra_error',
      code: because.code,
      message: because.message,
      lastSequence: 0,
    });
    const holder = { attemptId: id, delivery };
    const after = await this.deliveries.decide(change, tx, { holder, result, runAgentId });
    await this.deliveries.end(change, tx, [{ holder, result, after }]);
  }
}
