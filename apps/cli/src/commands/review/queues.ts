import { type ReviewQueue, routes } from '@agentclash/api';
import { getReviewQueue, reviewQueues } from '../../lookup/review-queues.js';
import { runHandlesOf } from '../../lookup/run-handles.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { printTable } from '../../terminal/print-table.js';
import { oneLine } from '../../terminal/printable.js';
import { idColumn, timeColumn } from '../../terminal/table.js';

interface NewQueue {
  run: string;
  kind: 'pairwise' | 'single';
  items: number;
  repeatShare: number;
  seed?: number;
  name?: string;
}

export async function createQueue(
  session: Session,
  { run: reference, kind, items, repeatShare, seed, name }: NewQueue,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id: run_id } = await getRun(client, reference);
  const more = { ...(seed !== undefined && { seed }), ...(name !== undefined && { name }) };
  const body = { run_id, kind, items_max: items, repeat_share: repeatShare, ...more };
  const queue = await client.call(routes.reviews.create, { body });
  out.result(queue, () => `Review queue ${queue.id} of ${plural(queue.items, 'item')}, ${queue.kind}`);
  out.note(out.paint.dim('Review with: agentclash review next'));
}

export async function listQueues(session: Session, { run: reference }: { run?: string }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const run = reference === undefined ? undefined : await getRun(client, reference);
  const items = await reviewQueues(client, run?.id);
  const shown = out.modes.json ? [] : items;
  const handleOf = await runHandlesOf(
    client,
    shown.map(({ run_id }) => run_id),
  );
  printTable(out, items, {
    columns: [
      idColumn('QUEUE', ({ id }) => id),
      { title: 'NAME', value: ({ name }) => name ?? '', cutTo: 10, leaveOut: 2 },
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'RUN', value: ({ run_id }) => handleOf(run_id), data: ({ run_id }) => run_id },
      { title: 'ITEMS', value: (each) => String(each.items), data: (each) => each.items, align: 'right' },
      { title: 'REVIEWED', value: progressOf, cutTo: 12 },
      timeColumn('CREATED', ({ created_at }) => created_at, { leaveOut: 1 }),
      { title: 'BY', value: ({ created_by }) => created_by, cutTo: 8, leaveOut: 3 },
    ],
    empty: 'No review queues. agentclash review create <run>',
  });
}

/** `ada 12, ben 3`. */
function progressOf({ raters }: ReviewQueue): string {
  return raters.map(({ rater, reviewed }) => oneLine(`${rater} ${reviewed}`)).join(', ') || '-';
}

export async function applyVotes(
  session: Session,
  { queue: reference }: { queue?: string },
): Promise<undefined> {
  const client = await session.client();
  const { id: review_queue_id } = await getReviewQueue(client, reference);
  const rescore = await client.call(routes.reviews.apply, { params: { review_queue_id } });
  session.out.result(
    rescore,
    () => `Scoring ${plural(rescore.attempts, 'attempt')} of run ${rescore.run_id} again with the votes`,
  );
  session.out.note(session.out.paint.dim(`See: agentclash run ranking ${rescore.run_id}`));
}
