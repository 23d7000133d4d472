import type { AuditCertificate, AuditPolicy, AuditPolicySpec } from '@agentclash/contracts';
import { type AuditShortfall, auditShortfall } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

/** The rules of workspaces about audits. */
@Injectable()
export class AuditPoliciesStore {
  constructor(private readonly db: Database) {}

  /** A workspace without a policy requires no audit. */
  async find(workspaceId: string): Promise<AuditPolicy> {
    const row = await this.db.auditPolicy.findUnique({ where: { workspaceId } });
    if (row === null) return { require_audit: false, updated_at: null };
    const { requireAudit, minStrength, maxAgeDays, updatedAt } = row;
    return {
      require_audit: requireAudit,
      ...(minStrength !== null && { min_strength: minStrength }),
      ...(maxAgeDays !== null && { max_age_days: maxAgeDays }),
      updated_at: updatedAt.toISOString(),
    };
  }

  /** The reason for which the workspace refuses runs of a version with this certificate; undefined without one. */
  async shortfallOf(
    workspaceId: string,
    certificate: AuditCertificate | null,
  ): Promise<AuditShortfall | undefined> {
    const { require_audit, min_strength, max_age_days } = await this.find(workspaceId);
    if (!require_audit) return undefined;
    const requirement = {
      ...(min_strength !== undefined && { min_strength }),
      ...(max_age_days !== undefined && { max_age_days }),
    };
    return auditShortfall(requirement, certificate ?? undefined, Date.now());
  }

  async save(workspaceId: string, policy: AuditPolicySpec, actor: string): Promise<void> {
    const columns = {
      requireAudit: policy.require_audit,
      minStrength: policy.min_strength ?? null,
      maxAgeDays: policy.max_age_days ?? null,
      updatedBy: actor,
    };
    await this.db.auditPolicy.upsert({
      where: { workspaceId },
      create: { workspaceId, ...columns },
      update: columns,
    });
  }
}
