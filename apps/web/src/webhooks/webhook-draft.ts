import { type Webhook, WebhookSpec } from '@agentclash/api';

/** The part of a webhook that is written back when it is replaced. */
export function specOf(webhook: Webhook): WebhookSpec {
  return WebhookSpec.strip().parse(webhook);
}
