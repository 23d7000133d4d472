import { routes, type Webhook, type WebhookDelivery } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { heldBack, type SentRequest } from '../testing/fake-server.js';
import { AT, page } from '../testing/fixtures.js';
import { button, field, openApp, server } from '../testing/open-app.js';

const ID = '019a0000-0000-7000-8000-000000000021';
const DELIVERY = '019a0000-0000-7000-8000-000000000024';
const RUN = '019a0000-0000-7000-8000-000000000061';
const HOOK: Webhook = {
  ...{ id: ID, name: 'ci', url: 'https://ci.example/x', events: ['run.completed'], enabled: true },
  ...{ disabled_reason: null, labels: { suite: 'nightly' } },
  ...{ created_at: AT, created_by: 'ada', updated_at: AT, updated_by: 'ada' },
};
const FAILED: WebhookDelivery = {
  ...{ id: DELIVERY, webhook_id: ID, event: 'run.completed', run_id: RUN, status: 'failed', attempts: 9 },
  ...{ next_attempt_at: null, last_attempt_at: AT, response_status: 500, created_at: AT, payload: {} },
  error: 'the address responded with HTTP 500',
};

let created: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.webhooks.list, page([HOOK]));
  server.on(routes.webhooks.deliveries, page([FAILED]));
  created = server.on(routes.webhooks.create, { ...HOOK, name: 'new', secret: 'whsec_once' });
});

async function open() {
  const user = openApp('/webhooks');
  await screen.findByRole('rowheader', { name: 'ci' });
  return user;
}

test('a webhook is created with the chosen events and its secret is shown once', async () => {
  const user = await open();
  await user.type(field('Name'), 'new');
  await user.type(field('Address'), 'https://new.example/x');
  await user.click(field(/^A gate has decided/));
  await user.type(field('Labels (optional)'), 'suite=nightly');
  await user.click(button('Create'));
  const shown = await screen.findByText('whsec_once');
  expect(created.map(({ body }) => body)).toEqual([
    {
      ...{ name: 'new', url: 'https://new.example/x', enabled: true, labels: { suite: 'nightly' } },
      events: ['run.completed', 'budget.reached'],
    },
  ]);
  await user.click(button('Done'));
  expect(shown.isConnected).toBe(false);
});

test('the fields are empty after a webhook was created, except for what was written in the meantime', async () => {
  const { reply, release } = heldBack({ ...HOOK, name: 'new', secret: 'whsec_once' });
  server.on(routes.webhooks.create, reply);
  const user = await open();
  await user.type(field('Name'), 'new');
  await user.type(field('Address'), 'https://new.example/x');
  await user.click(button('Create'));
  await user.type(field('Name'), 'er');
  release();
  await screen.findByText('whsec_once');
  expect([field('Name').value, field('Address').value]).toEqual(['newer', '']);
});

test('a webhook without an event is not created', async () => {
  const user = await open();
  for (const label of [/^A run has ended/, /^A gate has decided/, /^The budget of a run/]) {
    await user.click(field(label));
  }
  expect(button('Create').disabled).toBe(true);
});

test('a failed delivery shows why, leads to its run, and is sent again', async () => {
  const resent = server.on(routes.webhooks.resend, { ...FAILED, status: 'pending', next_attempt_at: AT });
  const user = await open();
  await user.click(button('Deliveries of ci'));
  const log = within(await screen.findByRole('region', { name: 'Deliveries of ci' }));
  await log.findByText('the address responded with HTTP 500');
  expect(log.getByRole('link', { name: RUN.slice(-8) }).getAttribute('href')).toBe(`/runs/${RUN}`);
  await user.click(button(/^Resend run.completed/));
  await waitFor(() => expect(resent.map(({ params }) => params.delivery_id)).toEqual([DELIVERY]));
});

test('a test is sent and the log of the webhook is shown', async () => {
  const tested = server.on(routes.webhooks.test, { ...FAILED, event: 'webhook.test', run_id: null });
  const user = await open();
  await user.click(button('Test ci'));
  await screen.findByRole('heading', { name: 'Deliveries of ci' });
  expect(tested).toHaveLength(1);
});

test('a webhook that the product disabled shows the reason and is enabled again', async () => {
  const reason = '5 deliveries in a row failed, the last one: timeout';
  server.on(routes.webhooks.list, page([{ ...HOOK, enabled: false, disabled_reason: reason }]));
  const updated = server.on(routes.webhooks.update, { ...HOOK, applied: 'revised' });
  const user = await open();
  await screen.findByText(reason);
  await user.click(button('Enable ci'));
  const { name, url, events, labels } = HOOK;
  await waitFor(() => expect(updated[0]?.body).toEqual({ name, url, events, labels, enabled: true }));
});

test('a webhook is deleted after a confirmation only', async () => {
  const removed = server.on(routes.webhooks.remove, () => new Response(null, { status: 204 }));
  const user = await open();
  await user.click(button('Delete ci'));
  expect(removed).toHaveLength(0);
  server.on(routes.webhooks.list, page([]));
  await user.click(button('Delete'));
  await screen.findByText('No webhooks yet');
  expect(removed.map(({ params }) => params.webhook_id)).toEqual([ID]);
});

test('a member sees no webhooks, nor requests them', async () => {
  const requests = server.on(routes.webhooks.list, page([]));
  openApp('/webhooks', { role: 'member' });
  await screen.findByText('Only an admin may see and change webhooks.');
  expect(requests).toHaveLength(0);
});

test('a test delivery is shown, though the log was first read before it was written', async () => {
  const delivered: WebhookDelivery = { ...FAILED, event: 'webhook.test', status: 'delivered', error: null };
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let isTested = false;
  server.on(routes.webhooks.deliveries, async () => {
    const rows = isTested ? [delivered] : [];
    if (rows.length === 0) await held;
    return page(rows);
  });
  server.on(routes.webhooks.test, () => {
    isTested = true;
    return delivered;
  });
  const user = await open();
  await user.click(button('Test ci'));
  const log = within(await screen.findByRole('region', { name: 'Deliveries of ci' }));
  await screen.findByText('Test delivery queued');
  release();
  expect(await log.findByText('delivered')).toBeTruthy();
});
