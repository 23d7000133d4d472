import type { AttemptResult } from '@agentclash/contracts';
import { type AfterDelivery, afterDelivery } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunCompletion } from '../changes/run-completion.js';
import { scoreRetryAt, sendScoreJobs } from '../changes/score-requests.js';
import { callLimitsOf } from '../state/call-budget.js';
import type { RunChange } from '../state/run-change.js';
import { recordMove } from '../state/state-moves.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import type { EndedDelivery, Holder } from '../store/attempts/delivery-writes.store.js';
import { RunBudgetsStore } from '../store/run-budgets.store.js';

/** How long stored events may lag behind the end of their delivery before they count as lost. */
const EVENTS_WAIT_MS = 300_000;

export interface EndOptions {
  holder: Holder;
  result: AttemptResult;
  after: AfterDelivery;
}

/** Effects of every end of a delivery, by its executor or by the orchestrator. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly completion: RunCompletion,
    private readonly budgets: RunBudgetsStore,
  ) {}

  /** Decides what follows the delivery, before it ends: its last event contains that. */
  async decide(
    change: RunChange,
    tx: Transaction,
    { holder, result, runAgentId }: Pick<EndOptions, 'holder' | 'result'> & { runAgentId: string },
  ): Promise<AfterDelivery> {
    const deliveriesMax = await this.attempts.deliveriesMax(tx, holder.attemptId);
    return this.after(change, { runAgentId, delivery: holder.delivery, result, deliveriesMax });
  }

  /** As `decide`, where it is known how many deliveries the attempt may have. */
  after(
    change: RunChange,
    {
      runAgentId,
      ...end
    }: { runAgentId: string; delivery: number; result: AttemptResult; deliveriesMax: number },
  ): AfterDelivery {
    const { status, now } = change;
    const isHalted = change.isHalted(runAgentId);
    return afterDelivery({ ...end, runStatus: status, isHalted, now, random: Math.random() });
  }

  /**
   * Ends held deliveries, each attempt's once, and sees to what follows. The events that the change has appended count
   * as theirs. Returns the ids of the attempts whose deliveries were held.
   */
  async end(change: RunChange, tx: Transaction, ends: readonly EndOptions[]): Promise<Set<string>> {
    const { now } = change;
    const times = {
      now,
      scoreDueAt: scoreRetryAt(now),
      eventsDueAt: new Date(now.getTime() + EVENTS_WAIT_MS),
    };
    const ended = await this.writes.end(tx, ends.map(rowOf(change)), times);
    for (const each of ended) follow(change, each);
    if (ended.length > 0 && callLimitsOf(change.run.stopWhen) !== undefined) {
      const deliveries = ended.map(({ id, delivery }) => ({ id, delivery }));
      await this.budgets.closeDeliveries(tx, change.run.id, deliveries);
    }
    const over = ended.filter(({ isFinished }) => isFinished);
    sendScoreJobs(
      change,
      over.filter(({ isWhole }) => isWhole),
    );
    if (over.length > 0) await this.completion.endIfStopped(change, tx);
    if (ended.length > 0) change.requestDispatch('window');
    return new Set(ended.map(({ id }) => id));
  }
}

function rowOf(change: RunChange) {
  return ({ holder, result, after }: EndOptions) => ({
    ...holder,
    result,
    eventsAdded: change.numbersOf(holder.attemptId, holder.delivery).size,
    ...(after.next === 'queued' && { notBefore: after.notBefore }),
  });
}

function follow(change: RunChange, ended: EndedDelivery): void {
  const { from, isFinished, outcome, reason, runAgentId } = ended;
  recordMove(change, ended, { from, to: isFinished ? 'finished' : 'queued', reason });
  if (!isFinished) {
    change.count(runAgentId, { running: -1, queued: 1 });
    return;
  }
  change.count(runAgentId, { running: -1, byOutcome: { [outcome]: 1 } });
  change.unfinished -= 1;
}
