import { Handles, type Serves } from '@agentclash/bus';
import {
  ACTIVE_AUDITS_MAX,
  audits,
  ContractError,
  type In,
  type Out,
  type PackAudit,
} from '@agentclash/contracts';
import { isAuditActive } from '@agentclash/domain';
import { AuditLoop } from './audit.loop.js';
import { AuditPoliciesStore } from './audit-policies.store.js';
import { AuditsStore } from './audits.store.js';

/** Audits of published versions, as users request and read them. */
@Handles(audits)
export class AuditsService implements Serves<typeof audits> {
  constructor(
    private readonly store: AuditsStore,
    private readonly policies: AuditPoliciesStore,
    private readonly loop: AuditLoop,
  ) {}

  async create({
    workspace_id: workspaceId,
    version_id: versionId,
    quick: isQuick,
    actor,
  }: In<typeof audits.create>): Promise<Out<typeof audits.create>> {
    await this.checkVersion(workspaceId, versionId);
    const active = await this.store.findActive(versionId);
    if (active) return { created: false, audit: sameOptions(active, isQuick) };
    if ((await this.store.countActive(workspaceId)) >= ACTIVE_AUDITS_MAX) throw tooMany();
    const created = await this.store.insert({ workspaceId, versionId, isQuick, actor });
    if (created) {
      this.loop.wake();
      return { created: true, audit: created };
    }
    const other = await this.store.findActive(versionId);
    if (other) return { created: false, audit: sameOptions(other, isQuick) };
    throw new ContractError('conflict', 'Another audit of this version just ended. Try again.');
  }

  async list({
    workspace_id: workspaceId,
    version_id: versionId,
    ...page
  }: In<typeof audits.list>): Promise<Out<typeof audits.list>> {
    await this.checkVersion(workspaceId, versionId);
    return await this.store.list({ workspaceId, versionId }, page);
  }

  async get({ workspace_id: workspaceId, version_id: versionId, audit_id: id }: In<typeof audits.get>) {
    const found = await this.store.find({ workspaceId, versionId, id });
    if (found === undefined) throw new ContractError('not_found', `There is no audit ${id} of this version.`);
    return found;
  }

  /** A cancelled audit stays cancelled; one with a result is a record, which must not be lost. */
  async cancel(request: In<typeof audits.cancel>): Promise<PackAudit> {
    if (await this.cancelActive(request)) this.loop.wake();
    const { report: _, ...audit } = await this.get(request);
    if (audit.status === 'cancelled') return audit;
    throw new ContractError(
      'conflict',
      `The audit is ${audit.status}: only one that is queued or running can be cancelled.`,
    );
  }

  private async cancelActive(request: In<typeof audits.cancel>): Promise<boolean> {
    const { id, status } = await this.get(request);
    return isAuditActive(status) && (await this.store.cancel(id));
  }

  async policy({ workspace_id }: In<typeof audits.policy>): Promise<Out<typeof audits.policy>> {
    return await this.policies.find(workspace_id);
  }

  async setPolicy({
    workspace_id,
    policy,
    actor,
  }: In<typeof audits.setPolicy>): Promise<Out<typeof audits.setPolicy>> {
    await this.policies.save(workspace_id, policy, actor);
    return await this.policies.find(workspace_id);
  }

  private async checkVersion(workspaceId: string, versionId: string): Promise<void> {
    if (await this.store.hasVersion(workspaceId, versionId)) return;
    throw new ContractError('not_found', `There is no challenge pack version ${versionId}.`);
  }
}

/** The active audit; fails with `conflict` where it was requested with other options. */
function sameOptions(active: PackAudit, isQuick: boolean): PackAudit {
  if (active.quick === isQuick && active.seed === null) return active;
  const message = `Another audit of this version is ${active.status}, with other options. Wait for it, or cancel it.`;
  throw new ContractError('conflict', message, { audit_id: active.id });
}

function tooMany(): ContractError {
  const message = `The workspace has ${ACTIVE_AUDITS_MAX} audits that wait or run, which is the most. Wait for one of them, or cancel some.`;
  return new ContractError('conflict', message);
}
