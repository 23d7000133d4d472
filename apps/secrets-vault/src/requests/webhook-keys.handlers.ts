import { Handles, type Serves } from '@agentclash/bus';
import { type In, webhookKeys } from '@agentclash/contracts';
import { SecretsService } from '../secrets/secrets.service.js';

/** Signs deliveries of webhooks: their secrets never leave the vault. */
@Handles(webhookKeys)
export class WebhookKeysHandlers implements Serves<typeof webhookKeys> {
  constructor(private readonly secrets: SecretsService) {}

  async set(request: In<typeof webhookKeys.set>) {
    await this.secrets.setSigning(request);
    return {};
  }

  async sign(request: In<typeof webhookKeys.sign>) {
    return { signature_base64: (await this.secrets.sign(request)).toString('base64') };
  }

  async remove(request: In<typeof webhookKeys.remove>) {
    await this.secrets.removeSigning(request);
    return {};
  }
}
