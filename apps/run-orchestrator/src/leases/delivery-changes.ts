import type { AttemptResult, AttemptState } from '@agentclash/contracts';
import { cancelledResult } from '@agentclash/engine';
import { Injectable } from '@nestjs/common';
import { AttemptsStore, type Claim, type Holder } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { progressOf } from '../runs/progress.js';
import type { RunChange } from '../runs/run-change.js';
import { RunChanges } from '../runs/run-changes.service.js';
import { moveRun } from '../runs/run-facts.js';
import { startsAttempts } from '../runs/run-state.js';
import { RunsStore } from '../runs/runs.store.js';
import { recordMove } from './attempt-move.js';
import type { ClaimPlan } from './claim-plans.service.js';
import { Deliveries } from './deliveries.service.js';
import { interruptedResult } from './delivery-end.js';

/** An attempt that one executor cannot run waits this long, so that the queue is not kept busy by offering it. */
const PASS_ON_MS = 1_000;

/** What an executor's requests change, each in one transaction of the run. */
@Injectable()
export class DeliveryChanges {
  constructor(
    private readonly runs: RunChanges,
    private readonly attempts: AttemptsStore,
    private readonly deliveries: Deliveries,
    private readonly dispatcher: Dispatcher,
    private readonly store: RunsStore,
  ) {}

  /** The delivery that was claimed; nothing when it was not to be had. An impossible one ends as it begins. */
  async claim(
    runId: string,
    claim: Omit<Claim, 'now'>,
    planned: Exclude<ClaimPlan, { kind: 'for_another' }>,
  ): Promise<number | undefined> {
    return await this.runs.make(runId, async (change, tx) => {
      if (!startsAttempts(change.status)) return undefined;
      const won = await this.attempts.claim(tx, { ...claim, now: change.now });
      if (!won) return undefined;
      change.count(won.runAgentId, { queued: -1, running: 1 });
      recordMove(change, won, { from: 'queued', to: 'preparing' });
      if (change.status === 'queued') await this.start(change, tx);
      if (planned.kind === 'impossible') {
        await this.fail(change, tx, { attemptId: won.id, delivery: won.delivery, because: planned });
      } else if (planned.warning) {
        await this.store.warn(tx, runId, planned.warning);
      }
      await this.dispatcher.follow(change, tx);
      return won.delivery;
    });
  }

  /** Leaves a waiting attempt to other executors: its job is sent again, and no delivery is used up. */
  async passOn(runId: string, attemptId: string): Promise<void> {
    await this.runs.make(runId, async ({ now }, tx) => {
      await this.attempts.putBack(tx, attemptId, new Date(now.getTime() + PASS_ON_MS));
    });
  }

  async move(
    runId: string,
    holder: Holder,
    { from, to }: { from: AttemptState; to: AttemptState },
  ): Promise<void> {
    await this.runs.make(runId, async (change, tx) => {
      const moved = await this.attempts.move(tx, holder, from, to);
      if (moved) recordMove(change, moved, { from, to });
    });
  }

  /** Whether the delivery was held and is ended now. */
  async finish(holder: Holder, result: AttemptResult): Promise<boolean> {
    const isEnded = await this.runs.makeOfAttempt(holder.attemptId, async (change, tx) => {
      // Whatever the executor had reached when the cancel came: a cancelled run grades nothing more.
      const ended = change.status === 'cancelled' ? cancelledResult(result) : result;
      const after = await this.deliveries.decide(change, tx, { holder, result: ended });
      return await this.deliveries.end(change, tx, { holder, result: ended, after });
    });
    return isEnded ?? false;
  }

  private async start(change: RunChange, tx: Transaction): Promise<void> {
    const agents = await this.runs.agents(change, tx);
    change.set({ startedAt: change.now });
    moveRun(change, 'running', { counts: progressOf(agents.map(({ counts }) => counts)) });
  }

  private async fail(
    change: RunChange,
    tx: Transaction,
    { because, ...holder }: Holder & { because: { code: string; message: string } },
  ): Promise<void> {
    const result = interruptedResult({
      outcome: 'infra_error',
      code: because.code,
      message: because.message,
      lastSequence: 0,
    });
    const after = await this.deliveries.decide(change, tx, { holder, result });
    await this.deliveries.end(change, tx, { holder, result, after });
  }
}
