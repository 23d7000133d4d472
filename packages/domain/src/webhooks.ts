/** The events of runs that a workspace can have sent to an address. */
export const WEBHOOK_EVENTS = ['run.completed', 'gate.decided', 'budget.reached'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The event of a delivery that was requested to try a webhook. */
export const WEBHOOK_TEST_EVENT = 'webhook.test';

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
