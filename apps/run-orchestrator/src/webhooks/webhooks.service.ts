import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  type In,
  type Out,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookBody,
  type WebhookDelivery,
  WebhookSpec,
  webhooks,
} from '@agentclash/contracts';
import { WEBHOOK_TEST_EVENT } from '@agentclash/domain';
import { decodeIdCursor, pageOf } from '@agentclash/service-kit';
import { OperatorSettings } from '../catalogue/resources/operator-settings.js';
import { refuseInvalid } from '../catalogue/resources/resource-errors.js';
import { EditableResource } from '../catalogue/resources/workspace-resource.js';
import { WebhookDeliveriesStore } from './webhook-deliveries.store.js';
import { WebhookSenderLoop } from './webhook-sender.loop.js';
import { WebhooksStore } from './webhooks.store.js';

/** Tests of one webhook that may wait to be sent. */
const TESTS_MAX = 5;

type OfDelivery = In<typeof webhooks.resend>;

@Handles(webhooks)
export class WebhooksService
  extends EditableResource<'webhook', Webhook, WebhookSpec, WebhooksStore>
  implements Serves<typeof webhooks>
{
  constructor(
    store: WebhooksStore,
    private readonly log: WebhookDeliveriesStore,
    private readonly sender: WebhookSenderLoop,
    private readonly operator: OperatorSettings,
  ) {
    super({ key: 'webhook', noun: 'webhook' }, store);
  }

  override async create(request: In<typeof webhooks.create>): Promise<Webhook> {
    if ((await this.store.count(request.workspace_id)) >= WEBHOOKS_MAX) {
      throw new ContractError(
        'conflict',
        `The workspace has ${WEBHOOKS_MAX} webhooks already: delete one first.`,
      );
    }
    return await super.create(request);
  }

  override async update(request: In<typeof webhooks.update>) {
    const updated = await super.update(request);
    const { id, enabled } = updated.webhook;
    if (!enabled) await this.log.failPending(id, 'not sent: the webhook was disabled');
    return updated;
  }

  async deliveries(request: In<typeof webhooks.deliveries>): Promise<Out<typeof webhooks.deliveries>> {
    const { id: webhookId } = await this.get(request);
    const { status, run_id: runId, limit, cursor } = request;
    const after = decodeIdCursor(cursor);
    const found = await this.log.list({ webhookId, status, runId, after, take: limit + 1 });
    return pageOf(found, limit, { item: (delivery) => delivery, sortKey: ({ id }) => id });
  }

  async delivery(request: OfDelivery): Promise<WebhookDelivery> {
    const { id: webhookId } = await this.get(request);
    const found = await this.log.find(webhookId, request.delivery_id);
    if (found === undefined) {
      throw new ContractError('not_found', `The webhook has no delivery ${request.delivery_id}.`);
    }
    return found;
  }

  async resend(request: OfDelivery): Promise<WebhookDelivery> {
    const { id: webhookId, name, enabled } = await this.get(request);
    const { id } = await this.delivery(request);
    if (!enabled) {
      throw new ContractError('conflict', `The webhook "${name}" is disabled: enable it first.`);
    }
    await this.log.requestAgain(webhookId, id);
    this.sender.wake();
    return await this.delivery(request);
  }

  async test(request: In<typeof webhooks.test>): Promise<WebhookDelivery> {
    const { workspace_id, actor: requested_by } = request;
    const { id: webhook_id, name } = await this.get(request);
    if ((await this.log.countTests(webhook_id, WEBHOOK_TEST_EVENT)) >= TESTS_MAX) {
      throw new ContractError(
        'conflict',
        `${TESTS_MAX} tests of the webhook "${name}" are under way already.`,
      );
    }
    const payload: WebhookBody = {
      type: WEBHOOK_TEST_EVENT,
      timestamp: new Date().toISOString(),
      data: { workspace_id, webhook_id, requested_by },
    };
    const of = { workspaceId: workspace_id, webhookId: webhook_id };
    const added = await this.log.addTest({ ...of, event: WEBHOOK_TEST_EVENT, payload });
    this.sender.wake();
    return added;
  }

  protected override async check(_workspaceId: string, { url }: WebhookSpec): Promise<void> {
    refuseInvalid('The webhook', await this.operator.endpointUrlProblems(url, 'url', undefined));
  }

  protected override specOf(webhook: Webhook): object {
    return WebhookSpec.strip().parse(webhook);
  }
}
