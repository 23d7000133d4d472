import { Bus } from '@agentclash/bus';
import { ContractError, webhookKeys } from '@agentclash/contracts';
import { WEBHOOK_TEST_EVENT } from '@agentclash/domain';
import { type Egress, EgressError } from '@agentclash/egress';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { nextAttemptAt, type RetrySettings } from './retry-schedule.js';
import { type AttemptEnd, type ClaimedDelivery, WebhookQueueStore } from './webhook-queue.store.js';

/** The injection token of the guarded client. */
export const WEBHOOK_EGRESS = Symbol('egress of webhooks');

/** Lookup, connection and response headers of one attempt. */
const TIMEOUT_MS = 10_000;

export class WebhookSettings {
  constructor(
    readonly retry: RetrySettings,
    readonly everyMs: number,
  ) {}
}

/** The end of an attempt; `retry` false: another attempt would end alike. */
interface Outcome {
  status: number | null;
  error: string | null;
  retry: boolean;
  disable?: string;
}

/** Sends one delivery, and records how that ended. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly queue: WebhookQueueStore,
    private readonly bus: Bus,
    @Inject(WEBHOOK_EGRESS) private readonly egress: Egress,
    private readonly settings: WebhookSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** An attempt that the end of this process cut short counts for nothing: it is given back. */
  async send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const outcome = await this.attempt(delivery, signal);
    if (outcome === undefined) return await this.queue.release(delivery);
    const disabled = await this.queue.record(delivery, this.endOf(delivery, outcome));
    const { id: delivery_id, webhookId: webhook_id, workspaceId: workspace_id } = delivery;
    if (disabled === undefined) return;
    this.logger.warn({ workspace_id, webhook_id, delivery_id, reason: disabled }, 'webhook disabled');
  }

  private endOf({ attempts, firstAttemptAt, event }: ClaimedDelivery, outcome: Outcome): AttemptEnd {
    const { status: responseStatus, error, retry, disable } = outcome;
    if (error === null) return { isDelivered: true, isFinal: true, responseStatus, error };
    const mayRetry = retry && event !== WEBHOOK_TEST_EVENT;
    const past = { attempts, firstAttemptAt, now: new Date() };
    const dueAt = mayRetry ? nextAttemptAt(past, this.settings.retry, Math.random()) : undefined;
    return { isDelivered: false, isFinal: dueAt === undefined, responseStatus, error, dueAt, disable };
  }

  /** Undefined where the process ends. */
  private async attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<Outcome | undefined> {
    try {
      const status = await this.post(delivery, await this.signed(delivery), signal);
      return outcomeOf(status);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof EgressError) return { status: null, error: error.message, retry: true };
      if (error instanceof ContractError) return unsigned(error);
      throw error;
    }
  }

  /** The headers of Standard Webhooks. */
  private async signed({
    id,
    body,
    webhookId,
    workspaceId,
  }: ClaimedDelivery): Promise<Record<string, string>> {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const content = `${id}.${timestamp}.${body}`;
    const of = { workspace_id: workspaceId, webhook_id: webhookId };
    const { signature_base64 } = await this.bus.call(webhookKeys.sign, { ...of, content });
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature_base64}`,
    };
  }

  /** The status of the response, whose body is not read. */
  private async post(
    { url, body }: ClaimedDelivery,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<number> {
    const response = await this.egress.open({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'AgentClash-Webhooks/1' },
      body,
      policy: { kind: 'operator', plainHttp: 'unlocked' },
      redirects: 'return',
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    response.close();
    return response.status;
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { status, error: null, retry: false };
  if (status === 410) {
    const error = 'the address responded with HTTP 410: it is gone';
    return { status, error, retry: false, disable: error };
  }
  const isRedirect = status >= 300 && status < 400;
  const hint = isRedirect ? ': redirects are not followed, set the address that it leads to' : '';
  return { status, error: `the address responded with HTTP ${status}${hint}`, retry: true };
}

function unsigned(error: ContractError): Outcome {
  if (error.code !== 'missing_secret')
    return { status: null, error: 'not sent: the vault could not sign it', retry: true };
  const text = 'the webhook has no signing secret: delete it and create it again';
  return { status: null, error: text, retry: false, disable: text };
}
