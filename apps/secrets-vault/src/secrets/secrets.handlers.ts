import { Handles, type Serves } from '@agentclash/bus';
import { type In, vault } from '@agentclash/contracts';
import { AuditStore } from '../audit/audit.store.js';
import { OpeningsService } from '../openings/openings.service.js';
import { SecretsService } from './secrets.service.js';

@Handles(vault)
export class SecretsHandlers implements Serves<typeof vault> {
  constructor(
    private readonly secrets: SecretsService,
    private readonly openings: OpeningsService,
    private readonly trail: AuditStore,
  ) {}

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

  audit(ask: In<typeof vault.audit>) {
    return this.trail.list(ask);
  }

  async revoke({ workspace_id, run_id }: In<typeof vault.revoke>) {
    await this.openings.revoke(workspace_id, run_id);
    return {};
  }

  unbound(ask: In<typeof vault.unbound>) {
    return this.secrets.unbound(ask.workspace_id, ask.keys);
  }

  grant(ask: In<typeof vault.grant>) {
    return this.openings.grant(ask);
  }

  resolve(ask: In<typeof vault.resolve>) {
    return this.openings.open(ask, 'execution');
  }

  resolveForJudges(ask: In<typeof vault.resolveForJudges>) {
    return this.openings.open(ask, 'judging');
  }
}
