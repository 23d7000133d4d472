import { Bus } from '@agentclash/bus';
import {
  ContractError,
  evidence,
  type ReviewItem,
  type ReviewOutput,
  type StoredEvidence,
} from '@agentclash/contracts';
import type { AttemptEvidence } from '@agentclash/grading';
import { type Contract, sha256Of } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { EvidenceSource } from '../evidence/evidence.source.js';
import { criteriaOf, SHOWN_EVENTS, shownCase, shownOutput } from './blind-item.js';
import { firstShown } from './rater-order.js';
import type { StoredItem, StoredQueue } from './review-queues.store.js';

/** An item of a queue, for one rater. */
export interface RatedItem {
  queue: StoredQueue;
  item: StoredItem;
  rater: string;
}

/** The deliveries that the attempts of an item have now. */
export interface Deliveries {
  first: number;
  second: number | null;
}

interface Loaded {
  contract: Contract;
  /** In the order shown. */
  outputs: { stored: StoredEvidence; evidence: AttemptEvidence }[];
}

/** Makes items of evidence, from what cannot show an agent: the task, the case and the final outputs. */
@Injectable()
export class BlindItems {
  constructor(
    private readonly bus: Bus,
    private readonly source: EvidenceSource,
  ) {}

  /** Fails with `conflict` while an attempt of the item is run again. */
  async read(rated: RatedItem): Promise<Omit<ReviewItem, 'review'>> {
    const { contract, outputs } = await this.load(rated);
    const [left] = outputs;
    if (left === undefined) throw notReviewable();
    const { queue, item } = rated;
    const deliveryOf = (id: string | null) =>
      outputs.find(({ stored }) => stored.attempt_id === id)?.stored.delivery ?? null;
    const deliveries = {
      first: deliveryOf(item.firstAttemptId) ?? 0,
      second: deliveryOf(item.secondAttemptId),
    };
    return {
      id: item.id,
      kind: queue.kind,
      version: versionOf(item, deliveries),
      ...shownCase(contract, left.stored, left.evidence),
      criteria: criteriaOf(contract, queue.kind),
      outputs: outputs.map(({ evidence }) => shownOutput(evidence)),
    };
  }

  /** More of an output, by its number as shown. Fails with `not_found` for a second one of a single output. */
  async output(rated: RatedItem, number: number, offset: number): Promise<ReviewOutput> {
    const { outputs } = await this.load(rated);
    const output = outputs[number];
    if (output === undefined) throw new ContractError('not_found', 'The item has one output, with number 0.');
    return shownOutput(output.evidence, offset);
  }

  /** Fails with `conflict` while an attempt of the item is run again. */
  async deliveries({ queue, item }: Pick<RatedItem, 'queue' | 'item'>): Promise<Deliveries> {
    const { caseKey: case_key, repetition } = item;
    const of = { workspace_id: queue.workspaceId, run_id: queue.runId, case_key, repetition };
    const { items } = await this.bus.call(evidence.field, of);
    const deliveryOf = (id: string) => {
      const found = items.find(({ attempt_id }) => attempt_id === id);
      if (found?.is_finished !== true) throw notReviewable();
      return found.delivery;
    };
    const { firstAttemptId, secondAttemptId } = item;
    return {
      first: deliveryOf(firstAttemptId),
      second: secondAttemptId === null ? null : deliveryOf(secondAttemptId),
    };
  }

  private async load({ queue, item, rater }: RatedItem): Promise<Loaded> {
    const contract = await this.source.contract(queue.workspaceId, queue.challengePackVersionId);
    const ids = [item.firstAttemptId, ...(item.secondAttemptId === null ? [] : [item.secondAttemptId])];
    const read: Loaded['outputs'] = [];
    try {
      for await (const page of this.source.ofAttempts(queue.workspaceId, ids)) {
        for (const stored of page) {
          const events = stored.events.filter(({ event_type }) => SHOWN_EVENTS.has(event_type));
          read.push({ stored, evidence: await this.source.assemble({ ...stored, events }, contract) });
        }
      }
    } catch (error) {
      // The error names attempts, by which their agents could be found.
      if (error instanceof ContractError && !error.isRetryable) throw notReviewable();
      throw error;
    }
    const first = firstShown(item, { seed: queue.seed, rater });
    const shown = item.secondAttemptId === null || first === 'left' ? ids : ids.toReversed();
    return {
      contract,
      outputs: shown.flatMap((id) => read.find(({ stored }) => stored.attempt_id === id) ?? []),
    };
  }
}

/** Names the shown outputs; it changes when one of them is run again. */
export function versionOf({ id }: StoredItem, { first, second }: Deliveries): string {
  return sha256Of([id, first, second]).slice(0, 16);
}

function notReviewable(): ContractError {
  return new ContractError(
    'conflict',
    'An output of this item is being run again. Review the next item, and this one when the run has ended.',
  );
}
