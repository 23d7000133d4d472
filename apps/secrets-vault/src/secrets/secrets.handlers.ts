import { Handles, type Serves } from '@agentclash/bus';
import { type In, vault } from '@agentclash/contracts';
import { SecretsService } from './secrets.service.js';

@Handles(vault)
export class SecretsHandlers implements Serves<typeof vault> {
  constructor(private readonly secrets: SecretsService) {}

  async list(ask: In<typeof vault.list>) {
    return { items: await this.secrets.list(ask.workspace_id) };
  }

  set(ask: In<typeof vault.set>) {
    return this.secrets.set(ask);
  }

  async remove(ask: In<typeof vault.remove>) {
    await this.secrets.remove(ask.workspace_id, ask.key, ask.actor);
    return {};
  }

  async grant(ask: In<typeof vault.grant>) {
    await this.secrets.grant(ask);
    return {};
  }

  resolve(ask: In<typeof vault.resolve>) {
    return this.secrets.seal(ask);
  }
}
