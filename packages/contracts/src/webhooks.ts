import {
  GATE_VERDICTS,
  RUN_STATUSES,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_EVENTS,
  WEBHOOK_TEST_EVENT,
} from '@agentclash/domain';
import { z } from 'zod';
import { event, rpc } from './message.js';
import { Applied, inWorkspace, ResourceName } from './resources.js';
import { Labels } from './run-request.js';
import { Actor, JsonObject, PageQuery, PlainText, page, Timestamp, Uuid } from './values.js';

export const WEBHOOKS_MAX = 50;

/** Where events of runs are sent. The secret that signs them is of the vault, and no part of this. */
export const WebhookSpec = z.strictObject({
  name: ResourceName,
  /** https, or http where the operator unlocked the address. It may hold a token: only admins read it. */
  url: PlainText.min(1).max(2_048),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .max(WEBHOOK_EVENTS.length)
    .refine((events) => new Set(events).size === events.length, 'names an event twice'),
  /** The slug of a pack: events of its runs alone. */
  pack: PlainText.min(1).max(128).optional(),
  /** Events of runs that have all of these labels alone. */
  labels: Labels.optional(),
  enabled: z.boolean().default(true),
});
export type WebhookSpec = z.infer<typeof WebhookSpec>;

export const Webhook = z.object({
  ...WebhookSpec.shape,
  id: Uuid,
  /** Why the product disabled it; null otherwise. */
  disabled_reason: z.string().nullable(),
  created_at: Timestamp,
  created_by: z.string(),
  updated_at: Timestamp,
  updated_by: z.string(),
});
export type Webhook = z.infer<typeof Webhook>;

/** One event on its way to one webhook. Its id is the `webhook-id` of every attempt to deliver it. */
export const WebhookDelivery = z.object({
  id: Uuid,
  webhook_id: Uuid,
  event: z.string(),
  /** Null for a test. */
  run_id: Uuid.nullable(),
  status: z.enum(WEBHOOK_DELIVERY_STATUSES),
  attempts: z.number().int(),
  /** Null when none follows; an earlier event of the same run may delay it further. */
  next_attempt_at: Timestamp.nullable(),
  last_attempt_at: Timestamp.nullable(),
  /** Of the last HTTP response; null where there was none. */
  response_status: z.number().int().nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  created_at: Timestamp,
  /** The body, as it is sent each time. */
  payload: JsonObject,
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const ofWebhook = z.object({ ...inWorkspace, webhook_id: Uuid });

export const webhooks = {
  /** Fails with `conflict` when the name is taken, and when there are too many. `id`: the key of its signing secret. */
  create: rpc('webhooks.v1.create', {
    input: z.object({ ...inWorkspace, id: Uuid.optional(), spec: WebhookSpec, actor: Actor }),
    output: Webhook,
  }),
  /** Enabling one clears the reason why it was disabled. Pending deliveries of one that is disabled fail. */
  update: rpc('webhooks.v1.update', {
    input: ofWebhook.extend({ spec: WebhookSpec, actor: Actor }),
    output: z.object({ applied: Applied, webhook: Webhook }),
  }),
  list: rpc('webhooks.v1.list', {
    input: PageQuery.extend({ ...inWorkspace, name: PlainText.optional() }),
    output: page(Webhook),
  }),
  get: rpc('webhooks.v1.get', { input: ofWebhook, output: Webhook }),
  remove: rpc('webhooks.v1.remove', { input: ofWebhook, output: z.object({}) }),
  /** Newest first. */
  deliveries: rpc('webhooks.v1.deliveries', {
    input: PageQuery.extend({
      ...ofWebhook.shape,
      status: z.enum(WEBHOOK_DELIVERY_STATUSES).optional(),
      run_id: Uuid.optional(),
    }),
    output: page(WebhookDelivery),
  }),
  delivery: rpc('webhooks.v1.delivery', {
    input: ofWebhook.extend({ delivery_id: Uuid }),
    output: WebhookDelivery,
  }),
  /** Sends it once more, with the same id; a pending one at once. Fails with `conflict` for a disabled webhook. */
  resend: rpc('webhooks.v1.resend', {
    input: ofWebhook.extend({ delivery_id: Uuid }),
    output: WebhookDelivery,
  }),
  /** Sends a test, which is attempted once; also for a disabled webhook. */
  test: rpc('webhooks.v1.test', { input: ofWebhook.extend({ actor: Actor }), output: WebhookDelivery }),
};

/** The secrets that sign deliveries. None ever leaves the vault: it signs. */
export const webhookKeys = {
  /** Stores the secret of a webhook, in place of one that it may have. */
  set: rpc('webhook_keys.v1.set', {
    input: ofWebhook.extend({
      /** 24 to 64 bytes, base64. */
      value_base64: z.string(),
      actor: Actor,
    }),
    output: z.object({}),
  }),
  /** HMAC-SHA256 of the content under the webhook's secret. Fails with `missing_secret`. */
  sign: rpc('webhook_keys.v1.sign', {
    input: ofWebhook.extend({ content: z.string().max(262_144) }),
    output: z.object({ signature_base64: z.string() }),
  }),
  remove: rpc('webhook_keys.v1.remove', { input: ofWebhook.extend({ actor: Actor }), output: z.object({}) }),
};

export const gateEvents = {
  /** A stored decision of a gate; published at least once. */
  decided: event('gates.v1.decided', {
    input: z.object({
      ...inWorkspace,
      comparison_id: Uuid,
      candidate_run_id: Uuid,
      baseline_run_id: Uuid,
      verdict: z.enum(GATE_VERDICTS),
      exit_code: z.number().int(),
      reasons: z.array(z.string()),
      decided_at: Timestamp,
      decided_by: z.string(),
    }),
  }),
};

/** The common members of all bodies. */
const bodyOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: Timestamp, data });

const RunOfWebhook = z.object({
  id: Uuid,
  number: z.number().int().nullable(),
  name: z.string().nullable(),
  status: z.enum(RUN_STATUSES),
  pack: z.string(),
  pack_version: z.number().int(),
  labels: z.record(z.string(), z.string()),
  /** Its page in the web app: an address where the installation knows its own, else a path. */
  url: z.string(),
});
export type RunOfWebhook = z.infer<typeof RunOfWebhook>;

const ofRun = { workspace_id: Uuid, run: RunOfWebhook };

/** Agents that a body lists, best first. */
export const WEBHOOK_RANKING_MAX = 10;

/** The bodies of deliveries by event. Members are only ever added. */
export const WebhookBody = z.discriminatedUnion('type', [
  bodyOf(
    'run.completed',
    z.object({
      ...ofRun,
      counts: JsonObject,
      /** Why it ended before its last case; absent otherwise. */
      stopped: z.string().optional(),
      ranking: z.array(
        z.object({
          rank: z.number().int().nullable(),
          agent: z.string(),
          run_agent_id: Uuid,
          overall: z.number().nullable(),
          passed: z.boolean().nullable(),
        }),
      ),
      /** Agents beyond the first of the ranking. */
      ranking_omitted: z.number().int(),
    }),
  ),
  bodyOf(
    'gate.decided',
    z.object({
      ...ofRun,
      verdict: z.enum(GATE_VERDICTS),
      exit_code: z.number().int(),
      reasons: z.array(z.string()),
      baseline_run_id: Uuid,
      comparison_id: Uuid,
      decided_by: z.string(),
    }),
  ),
  bodyOf('budget.reached', z.object({ ...ofRun, budget: JsonObject })),
  bodyOf(WEBHOOK_TEST_EVENT, z.object({ workspace_id: Uuid, webhook_id: Uuid, requested_by: z.string() })),
]);
export type WebhookBody = z.infer<typeof WebhookBody>;
