import { randomBytes } from 'node:crypto';
import { Bus } from '@agentclash/bus';
import { ContractError, type Webhook, type WebhookSpec, webhookKeys, webhooks } from '@agentclash/contracts';
import { LOGGER, type Logger, newId } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';

const SECRET_BYTES = 32;
/** As Standard Webhooks writes secrets. */
const SECRET_PREFIX = 'whsec_';

/**
 * Creates webhooks with their signing secrets. The secret goes to the vault and into the one response, and not to the
 * service that sends: the vault signs for it.
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The secret is stored first: no webhook is without one. */
  async create(
    workspace_id: string,
    actor: string,
    spec: WebhookSpec,
  ): Promise<Webhook & { secret: string }> {
    const id = newId();
    const value_base64 = randomBytes(SECRET_BYTES).toString('base64');
    await this.bus.call(webhookKeys.set, { workspace_id, webhook_id: id, value_base64, actor });
    try {
      const webhook = await this.bus.call(webhooks.create, { workspace_id, id, spec, actor });
      return { ...webhook, secret: SECRET_PREFIX + value_base64 };
    } catch (error) {
      await this.bus
        .call(webhookKeys.remove, { workspace_id, webhook_id: id, actor })
        .catch((err: unknown) => {
          this.logger.warn({ err, workspace_id, webhook_id: id }, 'signing secret without a webhook stays');
        });
      throw error;
    }
  }

  /** Repeated after a failure, it removes the rest. */
  async remove(workspace_id: string, actor: string, webhook_id: string): Promise<void> {
    const missing = await this.bus.call(webhooks.remove, { workspace_id, webhook_id }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ContractError && error.code === 'not_found') return error;
        throw error;
      },
    );
    await this.bus.call(webhookKeys.remove, { workspace_id, webhook_id, actor });
    if (missing !== undefined) throw missing;
  }
}
