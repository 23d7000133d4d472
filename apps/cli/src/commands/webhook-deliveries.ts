import { setTimeout as pause } from 'node:timers/promises';
import { type Client, routes, type Webhook, type WebhookDelivery } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { matchIdPart, notFound } from '../lookup/id-part.js';
import { findWebhook } from '../lookup/webhooks.js';
import type { Session } from '../session/session.js';
import { printTable } from '../terminal/print-table.js';
import { idColumn, timeColumn } from '../terminal/table.js';

interface ListInput {
  webhook: string;
  status?: WebhookDelivery['status'];
  limit: number;
}

export async function listDeliveries(
  session: Session,
  { webhook: reference, status, limit }: ListInput,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const webhook = await findWebhook(client, reference);
  const items = await deliveriesOf(client, webhook, { status, limit });
  printTable(out, items, {
    columns: [
      timeColumn('CREATED', ({ created_at: at }) => at, { leaveOut: 3 }),
      { title: 'EVENT', value: ({ event }) => event },
      { title: 'STATUS', value: (delivery) => delivery.status },
      { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts), align: 'right', leaveOut: 2 },
      timeColumn('NEXT', ({ next_attempt_at: at }) => at, { leaveOut: 1 }),
      { title: 'WHY', value: ({ error }) => error ?? '', cutTo: 20 },
      idColumn('ID', ({ id }) => id),
    ],
    empty: 'Nothing was sent in the last 30 days.',
  });
}

async function deliveriesOf(
  client: Client,
  { id: webhook_id }: Webhook,
  { status, limit }: { status?: WebhookDelivery['status'] | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  const size = Math.min(limit, PAGE_SIZE);
  const page = (cursor: string | undefined) =>
    client.call(routes.webhooks.deliveries, {
      params: { webhook_id },
      query: { status, limit: size, cursor },
    });
  return await allPages(page, limit);
}

/** The newest deliveries among which a part of an id is looked for. */
const RECENT = 1_000;

export async function resendDelivery(
  session: Session,
  { webhook: reference, delivery: part }: { webhook: string; delivery: string },
): Promise<undefined> {
  const client = await session.client();
  const webhook = await findWebhook(client, reference);
  const recent = await deliveriesOf(client, webhook, { limit: RECENT });
  const found = recent.find(({ id }) => id === part) ?? matchIdPart(recent, part, 'delivery');
  if (found === undefined) throw await notFound('delivery', part, []);
  const params = { webhook_id: webhook.id, delivery_id: found.id };
  const requested = await client.call(routes.webhooks.resend, { params });
  session.out.result(requested, () => `${requested.event} is sent again`);
  session.out.note(`How it ends: agentclash webhook deliveries ${webhook.name}`);
}

const POLL_MS = 250;
/** Longer than an attempt may take. */
const WAIT_MS = 30_000;

export async function testWebhook(
  session: Session,
  { webhook: reference }: { webhook: string },
): Promise<ExitCode | undefined> {
  const { out } = session;
  const client = await session.client();
  const { id: webhook_id, name } = await findWebhook(client, reference);
  let delivery = await client.call(routes.webhooks.test, { params: { webhook_id } });
  const params = { webhook_id, delivery_id: delivery.id };
  for (const end = Date.now() + WAIT_MS; delivery.status === 'pending' && Date.now() < end; ) {
    await pause(POLL_MS);
    delivery = await client.call(routes.webhooks.delivery, { params });
  }
  const { status, response_status, error } = delivery;
  const why = status === 'pending' ? `no attempt within ${WAIT_MS / 1_000} s` : error;
  out.result(delivery, () =>
    status === 'delivered' ? `${name} accepted the test: HTTP ${response_status}` : `The test failed: ${why}`,
  );
  return status === 'delivered' ? undefined : EXIT_CODES.failed;
}
