import { type Client, type ReviewQueue, routes } from '@agentclash/api';
import { CommandError } from '../command-error.js';
import { allPages, PAGE_SIZE } from './all-pages.js';

/** All review queues, newest first. */
export async function reviewQueues(client: Client, run_id?: string): Promise<ReviewQueue[]> {
  return await allPages((cursor) =>
    client.call(routes.reviews.list, { query: { limit: PAGE_SIZE, cursor, ...(run_id && { run_id }) } }),
  );
}

/** A queue by its id or a part of that; `last`, or nothing, is the newest. */
export async function getReviewQueue(client: Client, reference = 'last'): Promise<ReviewQueue> {
  if (reference === 'last') {
    const { items } = await client.call(routes.reviews.list, { query: { limit: 1 } });
    const [newest] = items;
    if (newest !== undefined) return newest;
    throw new CommandError('not_found', 'There is no review queue yet', {
      hint: 'agentclash review create <run> makes one.',
    });
  }
  const part = reference.toLowerCase();
  const matching = (await reviewQueues(client)).filter(({ id }) => id.startsWith(part) || id.endsWith(part));
  const [queue, ...others] = matching;
  if (queue !== undefined && others.length === 0) return queue;
  if (queue === undefined) {
    throw new CommandError('not_found', `There is no review queue "${reference}"`, {
      hint: 'agentclash review list shows them.',
    });
  }
  throw new CommandError('usage', `Several review queues have an id with "${reference}"`, {
    choices: matching.map(({ id }) => id),
  });
}
