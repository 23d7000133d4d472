import { randomInt } from 'node:crypto';
import { ContractError, type In, type Out, type ReviewQueue, type reviews } from '@agentclash/contracts';
import { decodeIdCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { RunsSource } from '../runs/runs.source.js';
import { drawPairs, drawRepeats } from './item-draw.js';
import {
  type NewItem,
  newItemId,
  type RaterCount,
  ReviewQueuesStore,
  type StoredItem,
  type StoredQueue,
} from './review-queues.store.js';

type Request = In<typeof reviews.create>['request'];

const SEED_END = 2_147_483_648;

@Injectable()
export class ReviewQueues {
  constructor(
    private readonly store: ReviewQueuesStore,
    private readonly runs: RunsSource,
  ) {}

  /** Draws the items of a run that has ended. */
  async create({ workspace_id, request, actor }: In<typeof reviews.create>): Promise<ReviewQueue> {
    const { run_id, kind, name } = request;
    const { run, agents } = await this.runs.get(workspace_id, run_id);
    if (run.finished_at === null) {
      throw new ContractError('conflict', `The run ${run_id} has not ended: review it when it has.`);
    }
    const seed = request.seed ?? randomInt(SEED_END);
    const items = await this.draw(
      agents.map(({ id }) => id),
      { ...request, seed },
    );
    if (items.length === 0) {
      const why =
        kind === 'pairwise'
          ? 'No case of it was graded for two agents. Review single outputs instead: agentclash review create --kind single'
          : 'None of its attempts was graded.';
      throw new ContractError('conflict', `The run ${run_id} has nothing to review. ${why}`);
    }
    const queue = await this.store.create(
      {
        ...{ workspaceId: workspace_id, runId: run_id, kind, name: name ?? null, seed, createdBy: actor },
        challengePackVersionId: run.challenge_pack_version_id,
      },
      items,
    );
    return asQueue(queue, []);
  }

  async list(request: In<typeof reviews.list>): Promise<Out<typeof reviews.list>> {
    const { workspace_id: workspaceId, run_id: runId, limit, cursor } = request;
    const rows = await this.store.list({
      ...{ workspaceId, runId, before: decodeIdCursor(cursor), take: limit + 1 },
    });
    const raters = await this.store.raters(rows.map(({ id }) => id));
    return pageOf(rows, limit, { item: (row) => asQueue(row, raters), sortKey: ({ id }) => id });
  }

  async describe(queue: StoredQueue): Promise<ReviewQueue> {
    return asQueue(queue, await this.store.raters([queue.id]));
  }

  /** Fails with `not_found`, also for a queue of another workspace or of a deleted run. */
  async get({
    workspace_id,
    review_queue_id,
  }: {
    workspace_id: string;
    review_queue_id: string;
  }): Promise<StoredQueue> {
    const queue = await this.store.find(workspace_id, review_queue_id);
    if (queue !== undefined) return queue;
    throw new ContractError(
      'not_found',
      `There is no review queue ${review_queue_id}. See: agentclash review list`,
    );
  }

  async items(queue: StoredQueue): Promise<StoredItem[]> {
    return await this.store.items(queue.id);
  }

  /** Fails with `not_found`, also for an item of another queue. */
  async item(queue: StoredQueue, itemId: string): Promise<StoredItem> {
    const item = await this.store.findItem(queue.id, itemId);
    if (item !== undefined) return item;
    throw new ContractError('not_found', `The review queue has no item ${itemId}.`);
  }

  private async draw(
    runAgentIds: string[],
    { kind, seed, items_max: itemsMax, repeat_share: share }: Request & { seed: number },
  ): Promise<NewItem[]> {
    const query = { runAgentIds, seed, itemsMax };
    if (kind === 'single') {
      const candidates = await this.store.singleCandidates(query);
      return candidates.map((first) => ({ id: newItemId(), first }));
    }
    const pairs = drawPairs(await this.store.pairCandidates(query), { seed, itemsMax });
    const items = pairs.map((pair) => ({ id: newItemId(), ...pair }));
    const repeats = drawRepeats(items, { seed, share });
    return [...items, ...repeats.map((item) => ({ ...item, id: newItemId(), repeats: item.id }))];
  }
}

function asQueue(row: StoredQueue, raters: readonly RaterCount[]): ReviewQueue {
  return {
    ...{ id: row.id, run_id: row.runId, kind: row.kind, name: row.name, seed: row.seed, items: row.items },
    ...{ created_at: row.createdAt.toISOString(), created_by: row.createdBy },
    raters: raters
      .filter(({ queueId }) => queueId === row.id)
      .map(({ rater, reviewed }) => ({ rater, reviewed })),
  };
}
