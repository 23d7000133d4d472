import { type Client, routes, type Webhook } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { matchIdPart, notFound } from './id-part.js';

/** By name, id or a part of the id. */
export async function findWebhook(client: Client, reference: string): Promise<Webhook> {
  const webhooks = await allPages((cursor) =>
    client.call(routes.webhooks.list, { query: { limit: PAGE_SIZE, cursor } }),
  );
  const named = webhooks.find(({ id, name }) => name === reference || id === reference);
  const found = named ?? matchIdPart(webhooks, reference, 'webhook');
  if (found !== undefined) return found;
  throw await notFound(
    'webhook',
    reference,
    webhooks.map(({ name }) => name),
  );
}
