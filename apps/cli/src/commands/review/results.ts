import { type Review, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { getReviewQueue } from '../../lookup/review-queues.js';
import type { Session } from '../../session/session.js';
import { printTable } from '../../terminal/print-table.js';
import { idColumn, timeColumn } from '../../terminal/table.js';

interface Input {
  queue?: string;
  history?: boolean;
}

export async function listReviews(
  session: Session,
  { queue: reference, history = false }: Input,
): Promise<undefined> {
  const client = await session.client();
  const { id: review_queue_id } = await getReviewQueue(client, reference);
  const items = await allPages((cursor) =>
    client.call(routes.reviews.stored, {
      params: { review_queue_id },
      query: { limit: PAGE_SIZE, cursor, history },
    }),
  );
  printTable(session.out, items, {
    columns: [
      { title: 'CASE', value: ({ case_key, repetition }) => `${case_key} #${repetition}`, cutTo: 10 },
      { title: 'RATER', value: ({ rater }) => rater, cutTo: 8 },
      { title: 'OUTPUTS', value: ({ outputs }) => outputs.map(({ agent }) => agent).join(', '), cutTo: 12 },
      { title: 'REVIEW', value: reviewOf, cutTo: 8 },
      { title: 'SCORES', value: scoresOf, cutTo: 10, leaveOut: 2 },
      { title: 'STATE', value: stateOf },
      { title: 'NOTE', value: ({ note }) => note ?? '-', cutTo: 10, leaveOut: 1 },
      timeColumn('REVIEWED', ({ reviewed_at }) => reviewed_at, { leaveOut: 3 }),
      idColumn('ITEM', ({ item_id }) => item_id),
    ],
    empty: 'No reviews. agentclash review next',
  });
}

/** The agent that was preferred, or the label. */
function reviewOf({ vote, preferred, label }: Review): string {
  return label ?? (vote === 'tie' ? 'tie' : (preferred ?? '-'));
}

function scoresOf({ scores }: Review): string {
  const texts = Object.entries(scores).map(([key, score]) => `${key}=${score}`);
  return texts.join(' ') || '-';
}

function stateOf({ is_withdrawn, is_newest, is_repeat }: Review): string {
  if (is_withdrawn) return 'withdrawn';
  if (!is_newest) return 'replaced';
  return is_repeat ? 'repeat' : 'counts';
}
