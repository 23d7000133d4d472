import { cancelledResult } from '@agentclash/attempt-plan';
import type { In, leases, Out } from '@agentclash/contracts';
import { isHeld } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { type DeliveryContext, freshEvents } from '../state/event-batch.js';
import type { RunChange } from '../state/run-change.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { Deliveries, type EndOptions } from './deliveries.service.js';

type FinishRequest = In<typeof leases.finish>;
type Finish = FinishRequest['items'][number];

/** Ends deliveries with the results that their executors report. */
@Injectable()
export class DeliveryFinisher {
  constructor(
    private readonly runs: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly deliveries: Deliveries,
  ) {}

  /** Repeating a finish that was written is accepted and changes nothing. */
  async finish({ executor_id: executorId, items }: FinishRequest): Promise<Out<typeof leases.finish>> {
    const byRun = await this.byRun(items);
    const ends = [...byRun].map(([runId, ofRun]) =>
      this.runs.join(runId, (change, tx) => this.end(change, tx, { items: ofRun, executorId }), ofRun.length),
    );
    const ended = new Set((await Promise.all(ends)).flatMap((ids) => [...ids]));
    const others = items.filter(({ attempt_id }) => !ended.has(attempt_id));
    const repeated = others.length === 0 ? new Set() : await this.repeated(others, executorId);
    return {
      items: items.map((item) => {
        const { attempt_id } = item;
        return { attempt_id, accepted: ended.has(attempt_id) || repeated.has(item) };
      }),
    };
  }

  private async byRun(items: readonly Finish[]): Promise<Map<string, Finish[]>> {
    const runs = await this.attempts.findRuns(items.map(({ attempt_id }) => attempt_id));
    const byRun = new Map<string, Finish[]>();
    for (const item of items) {
      const runId = runs.get(item.attempt_id);
      if (runId !== undefined) byRun.set(runId, [...(byRun.get(runId) ?? []), item]);
    }
    return byRun;
  }

  /** Stores the last events of deliveries that this executor holds, and ends them. */
  private async end(
    change: RunChange,
    tx: Transaction,
    { items, executorId }: { items: readonly Finish[]; executorId: string },
  ): Promise<ReadonlySet<string>> {
    const parts = items.map((item) => ({ ...item, events: item.events ?? [] }));
    const contexts = await this.attempts.deliveryContexts(tx, change.run.id, parts);
    const ends = new Map<string, EndOptions>();
    for (const [index, item] of parts.entries()) {
      const context = contexts[index];
      const isHeld = context !== undefined && isHeldBy(context, executorId, item.delivery);
      if (!isHeld || ends.has(item.attempt_id)) continue;
      const pending = change.numbersOf(item.attempt_id, item.delivery);
      change.append(freshEvents({ ...item, run_id: change.run.id }, context, pending));
      ends.set(item.attempt_id, this.endOf(change, { item, context, executorId }));
    }
    return ends.size === 0 ? new Set() : await this.deliveries.end(change, tx, [...ends.values()]);
  }

  /** Whatever the executor had reached when the run or its lane was stopped: it grades nothing more. */
  private endOf(
    change: RunChange,
    { item, context, executorId }: { item: Finish; context: DeliveryContext; executorId: string },
  ): EndOptions {
    const { attempt_id: attemptId, delivery } = item;
    const { runAgentId, deliveriesMax } = context;
    const isStopped = change.isStopping || change.isHalted(runAgentId);
    const result = isStopped ? cancelledResult(item.result) : item.result;
    const after = this.deliveries.after(change, { runAgentId, delivery, result, deliveriesMax });
    return { holder: { attemptId, delivery, executorId }, result, after };
  }

  private async repeated(items: readonly Finish[], executorId: string): Promise<ReadonlySet<Finish>> {
    const keys = items.map(({ attempt_id: attemptId, delivery }) => ({ attemptId, delivery }));
    const known = await this.attempts.findEnds(keys);
    const isKnown = ({ attempt_id, delivery, result }: Finish) =>
      known.some(
        (end) =>
          end.attemptId === attempt_id &&
          end.delivery === delivery &&
          end.executorId === executorId &&
          end.lastSequence === result.last_sequence,
      );
    return new Set(items.filter(isKnown));
  }
}

function isHeldBy(context: DeliveryContext, executorId: string, delivery: number): boolean {
  const isAtWork = isHeld(context.state);
  return isAtWork && context.current === delivery && context.executorId === executorId;
}
