import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type In,
  type NextReviewItem,
  type Out,
  type ReviewItem,
  reviews,
} from '@agentclash/contracts';
import { BlindItems, type RatedItem, versionOf } from './blind-items.source.js';
import { choiceOf, ownReview, scoresText } from './own-review.js';
import { firstShown, orderFor } from './rater-order.js';
import { ReviewQueues } from './review-queues.service.js';
import type { StoredItem, StoredQueue } from './review-queues.store.js';
import { ReviewResults } from './review-results.service.js';
import { ReviewsStore } from './reviews.store.js';

type ItemRequest = In<typeof reviews.item>;

/** Items whose outputs are being run again are passed over, up to this many. */
const PASSED_OVER_MAX = 10;

/** The queues of reviews, and the items of their raters. */
@Handles(reviews)
export class ReviewsService implements Serves<typeof reviews> {
  constructor(
    private readonly queues: ReviewQueues,
    private readonly items: BlindItems,
    private readonly store: ReviewsStore,
    private readonly results: ReviewResults,
  ) {}

  create(request: In<typeof reviews.create>) {
    return this.queues.create(request);
  }

  list(request: In<typeof reviews.list>) {
    return this.queues.list(request);
  }

  async get(request: In<typeof reviews.get>): Promise<Out<typeof reviews.get>> {
    return await this.queues.describe(await this.queues.get(request));
  }

  async next({ after, actor: rater, ...request }: In<typeof reviews.next>): Promise<NextReviewItem> {
    const queue = await this.queues.get(request);
    const [items, done] = await Promise.all([this.queues.items(queue), this.store.ofRater(queue.id, rater)]);
    const ordered = orderFor(items, { seed: queue.seed, rater });
    const start = ordered.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) await this.queues.item(queue, after);
    const left = ordered.slice(start).filter(({ id }) => !done.has(id));
    const item = await this.firstReadable(queue, left.slice(0, PASSED_OVER_MAX), rater);
    return { item: item ?? null, reviewed: done.size, items: queue.items };
  }

  async item(request: ItemRequest): Promise<ReviewItem> {
    const rated = await this.rated(request);
    const own = await this.store.ofRater(rated.queue.id, rated.rater);
    const review = own.get(rated.item.id);
    return { ...(await this.items.read(rated)), review: review ? ownReview(review) : null };
  }

  async output({ output, offset, ...request }: In<typeof reviews.output>) {
    return await this.items.output(await this.rated(request), output, offset);
  }

  async submit({ spec, ...request }: In<typeof reviews.submit>): Promise<Out<typeof reviews.submit>> {
    const rated = await this.rated(request);
    const { queue, item, rater } = rated;
    await this.results.check(queue, spec);
    const deliveries = await this.items.deliveries(rated);
    if (versionOf(item, deliveries) !== spec.version) {
      throw new ContractError(
        'conflict',
        'The version is not that of the outputs as they are now: they were run again, or it belongs to another item. Load the item again.',
      );
    }
    const first = firstShown(item, { seed: queue.seed, rater });
    const stored = await this.store.add(queue.runId, {
      ...{ itemId: item.id, queueId: queue.id, rater, firstShown: first },
      ...{ firstDelivery: deliveries.first, secondDelivery: deliveries.second },
      choice: choiceOf(spec.vote, first),
      label: spec.label ?? null,
      scores: scoresText(spec.scores ?? {}),
      note: spec.note || null,
    });
    const done = await this.store.ofRater(queue.id, rater);
    return { review: ownReview(stored), reviewed: done.size, items: queue.items };
  }

  async withdraw(request: In<typeof reviews.withdraw>): Promise<Out<typeof reviews.withdraw>> {
    const { queue, item, rater } = await this.rated(request);
    await this.store.withdraw(queue.runId, { queueId: queue.id, itemId: item.id, rater });
    return {};
  }

  async stored(request: In<typeof reviews.stored>) {
    return await this.results.stored(await this.queues.get(request), request);
  }

  async agreement(request: In<typeof reviews.agreement>) {
    return await this.results.agreement(await this.queues.get(request));
  }

  async apply(request: In<typeof reviews.apply>) {
    return await this.results.apply(await this.queues.get(request), request.actor);
  }

  private async rated({ item_id, actor: rater, ...request }: ItemRequest): Promise<RatedItem> {
    const queue = await this.queues.get(request);
    return { queue, item: await this.queues.item(queue, item_id), rater };
  }

  private async firstReadable(
    queue: StoredQueue,
    left: readonly StoredItem[],
    rater: string,
  ): Promise<ReviewItem | undefined> {
    let failure: unknown;
    for (const item of left) {
      try {
        return { ...(await this.items.read({ queue, item, rater })), review: null };
      } catch (error) {
        if (!(error instanceof ContractError) || error.code !== 'conflict') throw error;
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }
}
