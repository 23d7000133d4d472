import { Handles, type Serves } from '@agentclash/bus';
import { type In, vault } from '@agentclash/contracts';
import { AuditStore } from '../audit/audit.store.js';
import { OpeningsService } from '../openings/openings.service.js';
import { SecretsService } from '../secrets/secrets.service.js';

@Handles(vault)
export class VaultHandlers implements Serves<typeof vault> {
  constructor(
    private readonly secrets: SecretsService,
    private readonly openings: OpeningsService,
    private readonly trail: AuditStore,
  ) {}

  async list(request: In<typeof vault.list>) {
    return { items: await this.secrets.list(request.workspace_id) };
  }

  set(request: In<typeof vault.set>) {
    return this.secrets.set(request);
  }

  async remove(request: In<typeof vault.remove>) {
    await this.secrets.remove(request.workspace_id, request.key, request.actor);
    return {};
  }

  audit(request: In<typeof vault.audit>) {
    return this.trail.list(request);
  }

  async revoke({ workspace_id, run_id }: In<typeof vault.revoke>) {
    await this.openings.revoke(workspace_id, run_id);
    return {};
  }

  unbound(request: In<typeof vault.unbound>) {
    return this.secrets.unbound(request.workspace_id, request.keys);
  }

  grant(request: In<typeof vault.grant>) {
    return this.openings.grant(request);
  }

  resolve(request: In<typeof vault.resolve>) {
    return this.openings.open(request, 'execution');
  }

  resolveForJudges(request: In<typeof vault.resolveForJudges>) {
    return this.openings.open(request, 'judging');
  }
}
