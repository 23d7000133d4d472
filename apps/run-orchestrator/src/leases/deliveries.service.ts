import type { AttemptResult, Outcome } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore, type EndedDelivery, type Holder } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import type { RunChange } from '../runs/run-change.js';
import { RunEnds } from '../runs/run-ends.js';
import { scoreRetryAt, sendScoreJobs } from '../scoring/score-requests.js';
import { type AfterDelivery, afterDelivery } from './delivery-end.js';

/** How long stored events may lag behind the end of their delivery before they count as lost. */
const EVENTS_WAIT_MS = 300_000;

export interface EndOptions {
  holder: Holder;
  result: AttemptResult;
  after: AfterDelivery;
  /** Events of the delivery that the same change stores. */
  eventsAdded?: number;
}

/** What every end of a delivery brings with it, whoever ended it. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly dispatcher: Dispatcher,
    private readonly ends: RunEnds,
  ) {}

  /** What will follow the delivery; decided before it ends, because its last event says so. */
  async decide(
    change: RunChange,
    tx: Transaction,
    { holder, result }: Pick<EndOptions, 'holder' | 'result'>,
  ): Promise<AfterDelivery> {
    const isFault = result.outcome === 'infra_error' || result.outcome === 'provider_error';
    const deliveriesMax = isFault ? await this.attempts.deliveriesMax(tx, holder.attemptId) : undefined;
    return afterDelivery({
      delivery: holder.delivery,
      result,
      ...(deliveriesMax !== undefined && { deliveriesMax }),
      runStatus: change.status,
      now: change.now,
      random: Math.random(),
    });
  }

  /** Ends a held delivery and sees to what follows; nothing happens when it is not held (any more). */
  async end(change: RunChange, tx: Transaction, options: EndOptions): Promise<boolean> {
    const { holder, result, after, eventsAdded = 0 } = options;
    const { now } = change;
    const retry = after.next === 'queued' ? { notBefore: after.notBefore } : {};
    const waits = { scoreDueAt: scoreRetryAt(now), eventsDueAt: new Date(now.getTime() + EVENTS_WAIT_MS) };
    const ended = await this.attempts.end(tx, { ...holder, ...waits, ...retry, result, now, eventsAdded });
    if (!ended) return false;
    recordEnd(change, ended, { to: after.next, reason: result.error?.code ?? result.outcome });
    if (after.next === 'queued') change.count(ended.runAgentId, { running: -1, queued: 1 });
    else await this.finish(change, tx, { ended, outcome: result.outcome });
    await this.dispatcher.dispatch(change, tx);
    return true;
  }

  private async finish(change: RunChange, tx: Transaction, over: { ended: EndedDelivery; outcome: Outcome }) {
    const { ended, outcome } = over;
    change.count(ended.runAgentId, { running: -1, byOutcome: { [outcome]: 1 } });
    change.unfinished -= 1;
    if (ended.isWhole) sendScoreJobs(change, [ended]);
    await this.ends.endIfCancelled(change, tx);
  }
}

function recordEnd(
  change: RunChange,
  ended: EndedDelivery,
  { to, reason }: { to: string; reason: string },
): void {
  change.record({
    type: 'attempt.state_changed',
    payload: { from: ended.from, to, reason },
    attempt: {
      run_agent_id: ended.runAgentId,
      attempt_id: ended.id,
      case_key: ended.caseKey,
      repetition: ended.repetition,
    },
  });
}
