import { Applied, Webhook, WebhookDelivery, WebhookSpec, webhooks } from '@agentclash/contracts';
import { z } from 'zod';
import { queryOf } from './list-query.js';
import { resourceRoutes } from './resource.js';
import { route } from './route.js';

const path = '/v1/workspaces/{ws}/webhooks/{webhook_id}';
const deliveriesPath = `${path}/deliveries` as const;

const { create, list, get, ...others } = resourceRoutes({
  path: 'webhooks',
  id: 'webhook_id',
  writer: 'admin',
  spec: WebhookSpec,
  resource: Webhook,
  changed: Webhook.extend({ applied: Applied }),
  query: queryOf(webhooks.list.input, 'workspace_id'),
  list: webhooks.list.output,
  isReferredTo: false,
  summaries: {
    create: 'Create a webhook; only this response holds its signing secret',
    list: 'Webhooks, newest first; never their secrets',
    get: 'One webhook; never its secret',
    update: 'Replace a webhook; it keeps its secret. Enabling one clears the reason why it was disabled',
    remove: 'Delete a webhook with its secret and its deliveries',
  },
});

/** Addresses of webhooks may hold tokens: all of this is for admins. */
export const webhookRoutes = {
  create: route({
    ...create,
    conflicts: 'The name is taken, or the workspace has too many webhooks',
    response: Webhook.extend({
      /** `whsec_` and the base64 of 32 bytes, for the verification of signatures. */
      secret: z.string(),
    }),
  }),
  list: route({ ...list, access: 'admin' }),
  get: route({ ...get, access: 'admin' }),
  ...others,
  deliveries: route({
    method: 'GET',
    path: deliveriesPath,
    access: 'admin',
    summary: 'Deliveries of a webhook of the last 30 days, newest first',
    query: queryOf(webhooks.deliveries.input, 'workspace_id', 'webhook_id'),
    response: webhooks.deliveries.output,
    status: 200,
  }),
  delivery: route({
    method: 'GET',
    path: `${deliveriesPath}/{delivery_id}`,
    access: 'admin',
    summary: 'One delivery',
    response: WebhookDelivery,
    status: 200,
  }),
  resend: route({
    method: 'POST',
    path: `${deliveriesPath}/{delivery_id}/resend`,
    access: 'admin',
    summary: 'Send a delivery again, with the same id; a pending one at once',
    response: WebhookDelivery,
    status: 202,
    conflicts: 'The webhook is disabled',
  }),
  test: route({
    method: 'POST',
    path: `${path}/test`,
    access: 'admin',
    summary: 'Send a test event, which is attempted once; also by a disabled webhook',
    response: WebhookDelivery,
    status: 202,
    conflicts: 'Too many tests are under way',
  }),
};
