import { Handles, type Serves } from '@agentclash/bus';
import {
  type AuditCertificate,
  type AuditReport,
  auditLeases,
  type In,
  type Out,
} from '@agentclash/contracts';
import { AuditLoop } from './audit.loop.js';
import { AuditWorkStore, type Holding } from './audit-work.store.js';
import { AuditsStore } from './audits.store.js';

/** Audits as executors hold them. */
@Handles(auditLeases)
export class AuditLeasesService implements Serves<typeof auditLeases> {
  constructor(
    private readonly work: AuditWorkStore,
    private readonly audits: AuditsStore,
    private readonly loop: AuditLoop,
  ) {}

  async claim({
    audit_id,
    executor_id,
  }: In<typeof auditLeases.claim>): Promise<Out<typeof auditLeases.claim>> {
    const claimed = await this.work.claim(audit_id, executor_id);
    if (claimed === undefined) return { audit: null };
    const { workspaceId, versionId, number, isQuick, ...audit } = claimed;
    return {
      audit: {
        ...audit,
        workspace_id: workspaceId,
        version_id: versionId,
        version_number: number,
        quick: isQuick,
      },
    };
  }

  async renew({ progress, ...held }: In<typeof auditLeases.renew>): Promise<Out<typeof auditLeases.renew>> {
    const status = await this.work.renew(holdingOf(held), progress);
    if (status === undefined) return { fate: 'lost' };
    return { fate: status === 'cancelled' ? 'cancelled' : 'held' };
  }

  async finish({ end, ...held }: In<typeof auditLeases.finish>): Promise<Out<typeof auditLeases.finish>> {
    const holding = holdingOf(held);
    if ('released' in end) return { accepted: this.wakeIf(await this.work.release(holding)) };
    const stored =
      'report' in end ? { report: end.report, certificate: certificateOf(held.audit_id, end.report) } : end;
    const versionId = await this.work.finish(holding, stored);
    if (versionId !== undefined) await this.audits.prune(versionId);
    return { accepted: this.wakeIf(versionId !== undefined) };
  }

  /** The next audit of the workspace may be sent now. */
  private wakeIf(isChanged: boolean): boolean {
    if (isChanged) this.loop.wake();
    return isChanged;
  }
}

function holdingOf({
  audit_id: id,
  executor_id: executorId,
  delivery,
}: Pick<In<typeof auditLeases.renew>, 'audit_id' | 'executor_id' | 'delivery'>): Holding {
  return { id, executorId, delivery };
}

function certificateOf(audit_id: string, report: AuditReport): AuditCertificate {
  const { cheats, strength } = report.checks;
  return {
    audit_id,
    result: report.result,
    quick: report.options.quick,
    strength: strength.strength,
    cheats_tried: cheats.tried,
    cheats_gained: cheats.gained,
    ...(cheats.graders !== undefined && { graders: cheats.graders }),
    ...(cheats.graders_tried !== undefined && { graders_tried: cheats.graders_tried }),
    digest: report.pack.digest,
    version: report.version,
    audited_at: report.audited_at,
  };
}
