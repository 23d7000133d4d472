import { type ReviewSpec, routes } from '@agentclash/api';
import { getReviewQueue } from '../../lookup/review-queues.js';
import type { Session } from '../../session/session.js';

interface Submission {
  item: string;
  queue?: string;
  itemVersion?: string;
  vote?: NonNullable<ReviewSpec['vote']>;
  label?: NonNullable<ReviewSpec['label']>;
  score?: Record<string, number>;
  note?: string;
}

export async function submitReview(
  session: Session,
  { item: item_id, queue: reference, itemVersion, vote, label, score, note }: Submission,
): Promise<undefined> {
  const client = await session.client();
  const queue = await getReviewQueue(client, reference);
  const params = { review_queue_id: queue.id, item_id };
  const version = itemVersion ?? (await client.call(routes.reviews.item, { params })).version;
  const body = {
    version,
    ...(vote !== undefined && { vote }),
    ...(label !== undefined && { label }),
    ...(score !== undefined && { scores: score }),
    ...(note !== undefined && { note }),
  };
  const done = await client.call(routes.reviews.submit, { params, body });
  session.out.result(done, () => `Reviewed: ${done.reviewed} of ${done.items}`);
}

export async function withdrawReview(
  session: Session,
  { item: item_id, queue: reference }: { item: string; queue?: string },
): Promise<undefined> {
  const client = await session.client();
  const { id: review_queue_id } = await getReviewQueue(client, reference);
  await client.call(routes.reviews.withdraw, { params: { review_queue_id, item_id } });
  session.out.result({ item_id, withdrawn: true }, () => 'Your review of the item is withdrawn');
}
